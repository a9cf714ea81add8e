/** Tests which runs a pipeline accepts, by the claims of their ID tokens. */
import { type Claims, isTrustedRun } from '../../../src/domain/accounts/pipeline-claims';

const GITHUB: Claims = {
  sub: 'repo:acme/shop:ref:refs/heads/main',
  repository: 'acme/shop',
  repository_owner: 'acme',
  ref: 'refs/heads/main',
  ref_type: 'branch',
  event_name: 'push',
};
const GITLAB: Claims = {
  sub: 'project_path:acme/web/shop:ref_type:branch:ref:main',
  project_path: 'acme/web/shop',
  ref: 'main',
  ref_type: 'branch',
  pipeline_source: 'push',
};
const SERVICES = [
  ['GitHub', GITHUB, 'acme/shop'],
  ['GitLab', GITLAB, 'acme/web/shop'],
] as const;

describe.each(SERVICES)('with ID tokens of %s', (_service, claims, repository) => {
  test('a run of the repository is accepted, on every branch or only on the named branch', () => {
    expect(isTrustedRun({ repository, branch: null }, claims)).toBe(true);
    expect(isTrustedRun({ repository, branch: 'main' }, claims)).toBe(true);
    const feature = { ...claims, ref: String(claims['ref']).replace('main', 'feature/main') };
    expect(isTrustedRun({ repository, branch: null }, feature)).toBe(true);
    expect(isTrustedRun({ repository, branch: 'main' }, feature)).toBe(false);
    expect(isTrustedRun({ repository, branch: 'feature/main' }, feature)).toBe(true);
  });

  test('letter case matters in branches, but not in repositories', () => {
    expect(isTrustedRun({ repository: repository.toUpperCase(), branch: 'main' }, claims)).toBe(
      true,
    );
    expect(isTrustedRun({ repository, branch: 'Main' }, claims)).toBe(false);
  });

  const name = 'repository' in claims ? 'repository' : 'project_path';
  test.each<[string, unknown]>([
    ['is of another repository', 'acme/other'],
    ['is of a repository with the same prefix', `${repository}-fork`],
    ['is of a repository with the same suffix', `evil/${repository}`],
    ['is of a repository below it', `${repository}/sub`],
    ['names the repository in a list', [repository]],
    ['names the repository in an object', { toString: () => repository }],
    ['names the repository with a space', `${repository} `],
    ['has an empty name', ''],
    ['has null as its name', null],
    ['has a number as its name', 7],
    ['names no repository', undefined],
  ])('a run that %s is refused', (_what, value) => {
    expect(isTrustedRun({ repository, branch: null }, { ...claims, [name]: value })).toBe(false);
  });

  test.each<[string, Claims]>([
    ['a tag of that name', { ref_type: 'tag', ref: 'refs/tags/main' }],
    ['a tag, with the name of a branch', { ref_type: 'tag' }],
    ['a pull request', { ref: 'refs/pull/7/merge' }],
    ['a merge request', { ref: 'refs/merge-requests/7/head' }],
    ['a branch in a list', { ref: ['main', 'refs/heads/main'] }],
    ['an empty branch', { ref: '' }],
    ['no branch', { ref: undefined }],
    ['a ref without a type', { ref_type: undefined }],
    ['a type in a list', { ref_type: ['branch'] }],
    ['a branch named like a full ref', { ref: 'refs/heads/refs/heads/main' }],
  ])('a pipeline with a named branch refuses a run of %s', (_what, changes) => {
    const changed = { ...claims, ...changes };
    expect(isTrustedRun({ repository, branch: 'main' }, changed)).toBe(false);
    expect(isTrustedRun({ repository, branch: null }, changed)).toBe(true);
  });
});

test.each(['merge_request_event', 'external_pull_request_event'])(
  'a branch of a fork with the same name is refused (%s)',
  (source) => {
    const claims = { ...GITLAB, pipeline_source: source };
    expect(isTrustedRun({ repository: 'acme/web/shop', branch: 'main' }, claims)).toBe(false);
  },
);

test('an ID token that names two repositories must name the repository of the pipeline in both claims', () => {
  const trusted = { repository: 'acme/shop', branch: null };
  expect(isTrustedRun(trusted, { ...GITHUB, project_path: 'evil/shop' })).toBe(false);
  expect(isTrustedRun(trusted, { ...GITLAB, repository: 'acme/shop' })).toBe(false);
  expect(isTrustedRun(trusted, { ...GITHUB, project_path: 'acme/shop' })).toBe(true);
});

test('an ID token without a repository is refused by every pipeline', () => {
  expect(isTrustedRun({ repository: 'acme/shop', branch: null }, {})).toBe(false);
});
