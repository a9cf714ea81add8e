/**
 * Reads values from a body that was not validated. A record, list or text of an unexpected type is treated as absent.
 */

export function readRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value));
}

export function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the number, or the default if the field is absent. null means that the value is not a number. */
export function readNumber(value: unknown, byDefault: number): number | null {
  if (value === undefined) return byDefault;
  return typeof value === 'number' ? value : null;
}

/** True if the value contains an integer that was rounded during parsing. */
export function hasInexactInteger(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21;
  return (
    value !== null && typeof value === 'object' && Object.values(value).some(hasInexactInteger)
  );
}
