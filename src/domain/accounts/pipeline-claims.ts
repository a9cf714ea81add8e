/**
 * Finds out which CI run an ID token belongs to, and decides whether a pipeline accepts the run. The caller must check
 * the token's signature, issuer, audience and times first. The claims are documented in GitHub's "OpenID Connect
 * reference" and GitLab's "OpenID Connect (OIDC) Authentication Using ID Tokens".
 */

/** The issuers of well-known services, as their tokens name them. Operators can configure further issuers. */
export const GITHUB_ISSUER = 'https://token.actions.githubusercontent.com';
export const GITLAB_ISSUER = 'https://gitlab.com';

/** The claims of an ID token. */
export type Claims = Readonly<Record<string, unknown>>;

export interface TrustedRuns {
  readonly repository: string;
  /** The trusted branch. null means that every branch is trusted. */
  readonly branch: string | null;
}

/** The claims with which GitHub and GitLab name the repository. If a token has both claims, both must match. */
const REPOSITORY_CLAIMS = ['repository', 'project_path'];
/** The prefix of a branch. GitHub sends the full ref, GitLab only the name of the branch. */
const HEADS = 'refs/heads/';
/**
 * The values of `pipeline_source` for merge requests. For these, GitLab sends the name of the source branch, which may
 * be in a fork.
 */
const MERGE_REQUESTS = ['merge_request_event', 'external_pull_request_event'];

/** True if the run belongs to the repository, and to the branch if the pipeline has one. */
export function isTrustedRun({ repository, branch }: TrustedRuns, claims: Claims): boolean {
  const named = REPOSITORY_CLAIMS.filter((name) => claims[name] !== undefined);
  if (named.length === 0) return false;
  if (!named.every((name) => isSameRepository(claims[name], repository))) return false;
  return branch === null || readBranch(claims) === branch;
}

/** Compares repository names without regard to case, as GitHub and GitLab do. */
function isSameRepository(claim: unknown, repository: string): boolean {
  return typeof claim === 'string' && claim.toLowerCase() === repository.toLowerCase();
}

/**
 * Returns the name of the branch. null means that the run belongs to a tag, a pull request, a merge request, or an
 * unknown ref.
 */
function readBranch({ ref, ref_type: type, pipeline_source: source }: Claims): string | null {
  if (typeof ref !== 'string' || ref === '' || type !== 'branch') return null;
  if (typeof source === 'string' && MERGE_REQUESTS.includes(source)) return null;
  if (ref.startsWith(HEADS)) return ref.slice(HEADS.length);
  return ref.startsWith('refs/') ? null : ref;
}
