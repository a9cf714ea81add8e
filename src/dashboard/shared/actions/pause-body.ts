/** The body of a pause. Pure, but for the clock. */

/** `until` of a pause that begins now. */
export function pauseBody(minutes: number | null): { readonly until?: string } {
  if (minutes === null) return {};
  return { until: new Date(Date.now() + minutes * 60_000).toISOString() };
}
