/** Formats instants as /v1 returns them: RFC 3339 in UTC with milliseconds. */

export function toInstant(atMs: number): string {
  return new Date(atMs).toISOString();
}

export function toInstantOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toInstant(atMs);
}
