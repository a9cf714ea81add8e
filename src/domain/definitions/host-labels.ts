/** Names of hosts as DNS has them. */

/** True for `a..b`, `.a` and a dot alone; a dot at the end of a name is its root. */
export function hasEmptyLabel(hostname: string): boolean {
  return hostname.replace(/\.$/, '').split('.').includes('');
}
