/** The key by which lists and the dashboard group monitors. */

/** The group of heartbeats that name no group. They have no URL to group by. */
export const HEARTBEAT_GROUP = 'heartbeats';

/** Trims the levels of a group name and drops empty ones: ` a // b/` becomes `a/b`. */
export function normalizeGroup(group: string): string {
  return group
    .split('/')
    .map((level) => level.trim())
    .filter((level) => level !== '')
    .join('/');
}

/**
 * Returns the given group. Without a group, returns the registrable domain of the URL. Without such a domain (an IP
 * address, a name with one label), returns the host. Never empty unless the host is empty.
 */
export function findGroupKey(
  group: string | null,
  host: string,
  registrableDomain: string | null,
): string {
  const given = normalizeGroup(group ?? '');
  if (given !== '') return given;
  return (registrableDomain || host).toLowerCase();
}
