/** Evaluates `If-Match` and `If-None-Match` (RFC 9110 §13) for versions of resources. */
import { AppError } from '../../platform/errors';

/**
 * Returns a function that throws `version_mismatch` if the version differs from the version in `If-Match`. Without the
 * header, or with `*`, the function accepts every version. The state part of an entity tag is ignored. Weak and foreign
 * tags match nothing.
 */
export function acceptVersion(ifMatch: string | undefined): (version: number) => void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return () => undefined;
  const accepted = [...ifMatch.matchAll(/(W\/)?"(\d{1,15})(?:\.[\w-]{1,64})?"/g)]
    .filter(([, weak]) => weak === undefined)
    .map(([, , version]) => Number(version));
  return (version) => {
    if (accepted.includes(version)) return;
    throw new AppError('version_mismatch', `The stored version is ${version}. Read it again.`);
  };
}

/** True if the client already has this representation. Compares entity tags weakly, as RFC 9110 requires for GET. */
export function isNotModified(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
