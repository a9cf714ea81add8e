/** `If-Match` and `If-None-Match` (RFC 9110 §13) on versions. It reads headers and nothing else. */
import { AppError } from '../../platform/errors';

/**
 * Throws `version_mismatch` for every version that `If-Match` does not name: as a whole tag, of which
 * the state plays no part, or as the quoted version alone. Without the header and with `*`, every
 * version is fine; weak tags and what is no tag of ours match nothing.
 */
export function acceptVersion(ifMatch: string | undefined): (version: number) => void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return () => undefined;
  const accepted = [...ifMatch.matchAll(/(W\/)?"(\d{1,15})(?:\.[\w-]{1,64})?"/g)]
    .filter(([, weak]) => weak === undefined)
    .map(([, , version]) => Number(version));
  return (version) => {
    if (accepted.includes(version)) return;
    throw new AppError('version_mismatch', `The stored version is ${version}; read it again.`);
  };
}

/** True when the client already holds this representation; weak comparison, as GET asks for. */
export function isAlreadyHeld(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
