/** The time zones to choose from. */

export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Lists UTC, the browser's own zone, and then every zone that the browser knows. */
export function allZones(): readonly string[] {
  return [...new Set(['UTC', OWN_ZONE, ...Intl.supportedValuesOf('timeZone')])];
}

/** True if the typed text finds the zone. `new york` finds `America/New_York`. */
export function isZoneFound(zone: string, typed: string): boolean {
  return toWords(zone).includes(toWords(typed).trim());
}

function toWords(text: string): string {
  return text.replaceAll('_', ' ').toLowerCase();
}
