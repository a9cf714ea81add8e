/** Converts chosen days to the instants that /v1 expects. Pure. */

/** Converts `2026-01-31` to the first instant of that day in local time; undefined for anything else. */
export function startOfDay(day: string | undefined): string | undefined {
  return findInstant(day, 0);
}

/** Converts `2026-01-31` to the first instant of the next day. */
export function endOfDay(day: string | undefined): string | undefined {
  return findInstant(day, 1);
}

function findInstant(day: string | undefined, plusDays: number): string | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '');
  if (parts === null) return undefined;
  const at = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + plusDays);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
