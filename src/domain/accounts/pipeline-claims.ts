/**
 * Reads from an ID token of a CI service which run it describes, and whether a pipeline accepts it. Pure; the
 * signature, the issuer, the audience and the times of the token have been checked before. Claims: GitHub, "OpenID
 * Connect reference"; GitLab, "OpenID Connect (OIDC) Authentication Using ID Tokens".
 */

/** The names of issuers in their own tokens. The operator names others. */
export const GITHUB_ISSUER = 'https://token.actions.githubusercontent.com';
export const GITLAB_ISSUER = 'https://gitlab.com';

/** The claims of an ID token. */
export type Claims = Readonly<Record<string, unknown>>;

export interface TrustedRuns {
  readonly repository: string;
  /** null: every branch. */
  readonly branch: string | null;
}

/** GitHub's and GitLab's. Of a token with both, both count. */
const REPOSITORY_CLAIMS = ['repository', 'project_path'];
/** GitHub names branches in full, GitLab by their name. */
const HEADS = 'refs/heads/';
/** GitLab names the branch of a merge request, which may be that of a fork, as if the run were of that branch. */
const MERGE_REQUESTS = ['merge_request_event', 'external_pull_request_event'];

/** True if the run belongs to the repository, and to the branch if the pipeline names one. */
export function letsIn({ repository, branch }: TrustedRuns, claims: Claims): boolean {
  const named = REPOSITORY_CLAIMS.filter((name) => claims[name] !== undefined);
  if (named.length === 0) return false;
  if (!named.every((name) => isSameRepository(claims[name], repository))) return false;
  return branch === null || readBranch(claims) === branch;
}

/** Both services take upper and lower case for the same. */
function isSameRepository(claim: unknown, repository: string): boolean {
  return typeof claim === 'string' && claim.toLowerCase() === repository.toLowerCase();
}

/** null: the run is of a tag, a pull request or a merge request, or says nothing of it. */
function readBranch({ ref, ref_type: type, pipeline_source: source }: Claims): string | null {
  if (typeof ref !== 'string' || ref === '' || type !== 'branch') return null;
  if (typeof source === 'string' && MERGE_REQUESTS.includes(source)) return null;
  if (ref.startsWith(HEADS)) return ref.slice(HEADS.length);
  return ref.startsWith('refs/') ? null : ref;
}
