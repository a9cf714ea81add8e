/** Reads of a body that nobody has checked yet: what is not as expected counts as absent. */

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value));
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The number, or the default of an absent field; null for anything else. */
export function numberOf(value: unknown, byDefault: number): number | null {
  if (value === undefined) return byDefault;
  return typeof value === 'number' ? value : null;
}

/** Whether an integer in it was rounded when it was read. */
export function holdsInexact(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21;
  return value !== null && typeof value === 'object' && Object.values(value).some(holdsInexact);
}
