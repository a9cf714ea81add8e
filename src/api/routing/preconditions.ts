/** `If-Match` and `If-None-Match` (RFC 9110 §13) for versions. It reads only headers. */
import { AppError } from '../../platform/errors';

/**
 * The version of `If-Match` may be a full entity tag, whose state is ignored, or only the version in quotes. Throws
 * `version_mismatch` for every other version. Without the header, or with `*`, every version is accepted. Weak tags and
 * foreign tags match nothing.
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

/** True if the client already has this representation. Uses weak comparison, as required for GET. */
export function isAlreadyHeld(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
