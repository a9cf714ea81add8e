/** Finds the key by which lists and the dashboard group monitors. */

/** The group of heartbeats without a group. */
export const HEARTBEAT_GROUP = 'heartbeats';

/** Trims the levels of a group name and drops empty ones: ` a // b/` becomes `a/b`. */
export function normalizeGroup(group: string): string {
  return group
    .split('/')
    .map((level) => level.trim())
    .filter((level) => level !== '')
    .join('/');
}

/** Returns the group. By default, the registrable domain of the URL, or its host if there is none. */
export function findGroupKey(
  group: string | null,
  host: string,
  registrableDomain: string | null,
): string {
  const given = normalizeGroup(group ?? '');
  if (given !== '') return given;
  return (registrableDomain || host).toLowerCase();
}
