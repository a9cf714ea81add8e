/** Converts a JSON value to a text that does not depend on the order of fields. */

/** Returns JSON with sorted fields in every object. Fields that are undefined are left out. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isRecord(inner) ? sorted(inner) : inner));
}

/**
 * True if both values have the same canonical JSON. Fast if they are the same object, or if one of them is not an
 * object.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  return toCanonicalJson(one) === toCanonicalJson(other);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).sort(([a], [b]) => {
      if (a === b) return 0;
      return a < b ? -1 : 1;
    }),
  );
}
