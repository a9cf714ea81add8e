/** Reads facts about a pipeline from the variables of its CI system. */
import { cutText } from '../domain/text/cut-text';
import type { Environment } from './stored-login';

/**
 * The `source` of a run: the commit and pipeline that requested it. Fields that a system does not provide are left out.
 */
export interface RunSource {
  readonly provider: string;
  readonly repository?: string;
  readonly branch?: string;
  readonly commit?: string;
  readonly url?: string;
  readonly actor?: string;
}

interface Provider {
  readonly provider: string;
  /** A variable that only this CI system sets. Its presence identifies the system. */
  readonly variable: string;
  readonly read: (of: (name: string) => string | undefined) => Parts;
}

type Parts = Readonly<
  Record<'repository' | 'branch' | 'commit' | 'url' | 'actor', string | undefined>
>;

const TEXT_MAX = 500;

const PROVIDERS: readonly Provider[] = [
  {
    provider: 'github',
    variable: 'GITHUB_ACTIONS',
    read: (of) => ({
      repository: of('GITHUB_REPOSITORY'),
      branch: of('GITHUB_HEAD_REF') ?? of('GITHUB_REF_NAME'),
      commit: of('GITHUB_SHA'),
      url: joinUrl(
        of('GITHUB_SERVER_URL'),
        of('GITHUB_REPOSITORY'),
        'actions/runs',
        of('GITHUB_RUN_ID'),
      ),
      actor: of('GITHUB_ACTOR'),
    }),
  },
  {
    provider: 'gitlab',
    variable: 'GITLAB_CI',
    read: (of) => ({
      repository: of('CI_PROJECT_PATH'),
      branch: of('CI_MERGE_REQUEST_SOURCE_BRANCH_NAME') ?? of('CI_COMMIT_REF_NAME'),
      commit: of('CI_COMMIT_SHA'),
      url: of('CI_JOB_URL') ?? of('CI_PIPELINE_URL'),
      actor: of('GITLAB_USER_LOGIN'),
    }),
  },
  {
    provider: 'circleci',
    variable: 'CIRCLECI',
    read: (of) => ({
      repository: joinUrl(of('CIRCLE_PROJECT_USERNAME'), of('CIRCLE_PROJECT_REPONAME')),
      branch: of('CIRCLE_BRANCH') ?? of('CIRCLE_TAG'),
      commit: of('CIRCLE_SHA1'),
      url: of('CIRCLE_BUILD_URL'),
      actor: of('CIRCLE_USERNAME'),
    }),
  },
  {
    provider: 'buildkite',
    variable: 'BUILDKITE',
    read: (of) => ({
      repository: of('BUILDKITE_REPO'),
      branch: of('BUILDKITE_BRANCH'),
      commit: of('BUILDKITE_COMMIT'),
      url: of('BUILDKITE_BUILD_URL'),
      actor: of('BUILDKITE_BUILD_CREATOR') ?? of('BUILDKITE_BUILD_AUTHOR'),
    }),
  },
  {
    provider: 'jenkins',
    variable: 'JENKINS_URL',
    read: (of) => ({
      repository: of('GIT_URL'),
      branch: of('CHANGE_BRANCH') ?? of('BRANCH_NAME') ?? of('GIT_BRANCH'),
      commit: of('GIT_COMMIT'),
      url: of('BUILD_URL'),
      actor: of('CHANGE_AUTHOR') ?? of('BUILD_USER_ID'),
    }),
  },
];

/** Returns the source of the run. null outside of a pipeline. */
export function readRunSource(environment: Environment): RunSource | null {
  const of = (name: string): string | undefined => {
    const text = environment[name]?.trim();
    return text === undefined || text === '' ? undefined : cutText(withoutUser(text), TEXT_MAX);
  };
  const found = PROVIDERS.find(({ variable }) => of(variable) !== undefined);
  if (found === undefined) return null;
  const { url, ...parts } = found.read(of);
  const given = Object.entries({ ...parts, ...(url !== undefined && isWeb(url) && { url }) });
  return {
    provider: found.provider,
    ...Object.fromEntries(given.filter(([, text]) => text !== undefined)),
  };
}

function joinUrl(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join('/');
}

function isWeb(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** Removes the user from a repository's URL, because it may contain a token. */
function withoutUser(text: string): string {
  return text.replace(/^(https?:\/\/)[^/@]*@/, '$1');
}
