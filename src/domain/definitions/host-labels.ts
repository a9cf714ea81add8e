/** Checks the labels of host names. */

/** True for `a..b`, `.a` and a single dot. A dot at the end of a name is the root and is allowed. */
export function hasEmptyLabel(hostname: string): boolean {
  return hostname.replace(/\.$/, '').split('.').includes('');
}
