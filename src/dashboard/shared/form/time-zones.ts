/** Time zones that one may choose. */

export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Every zone that the browser knows, and UTC. */
export function allZones(): readonly string[] {
  return [...new Set(['UTC', OWN_ZONE, ...Intl.supportedValuesOf('timeZone')])];
}
