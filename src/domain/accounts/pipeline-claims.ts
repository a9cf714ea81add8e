/**
 * Which run an ID token of a CI service describes, and whether a pipeline accepts it. Pure; the signature, the
 * issuer, the audience and the times of the token have been checked before.
 * Claims: GitHub, "OpenID Connect reference"; GitLab, "OpenID Connect (OIDC) Authentication Using ID Tokens".
 */

/** What an ID token says. */
export type Claims = Readonly<Record<string, unknown>>;

export interface TrustedRuns {
  readonly repository: string;
  /** null: every branch. */
  readonly branch: string | null;
}

/** GitHub names branches in full, GitLab by their name. */
const HEADS = 'refs/heads/';

/** True if the run belongs to the repository, and to the branch if the pipeline names one. */
export function letsIn({ repository, branch }: TrustedRuns, claims: Claims): boolean {
  const own = textOf(claims['repository']) ?? textOf(claims['project_path']);
  if (own === null || own.toLowerCase() !== repository.toLowerCase()) return false;
  return branch === null || branchOf(claims) === branch;
}

/** null: the run is for a tag or a pull request, or its token names no branch. */
function branchOf(claims: Claims): string | null {
  const ref = textOf(claims['ref']);
  if (ref === null || claims['ref_type'] !== 'branch') return null;
  if (ref.startsWith(HEADS)) return ref.slice(HEADS.length);
  return ref.startsWith('refs/') ? null : ref;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
