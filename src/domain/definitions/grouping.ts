/** The key by which lists and the dashboard group monitors. */

/** For heartbeats without a group, which have no URL. */
export const HEARTBEAT_GROUP = 'heartbeats';

/** A group name with its levels trimmed and empty levels dropped: ` a // b/` is `a/b`. */
export function normalizeGroup(group: string): string {
  return group
    .split('/')
    .map((level) => level.trim())
    .filter((level) => level !== '')
    .join('/');
}

/**
 * The given group; without one, the registrable domain of the URL; without that (an IP address, a
 * name of one label), the host. Never empty unless the host is.
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
