/** Times in texts that name their zone: `5 Jan 2026, 12:00 UTC`. Pure. */

const TIME_FORMAT = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

export function formatUtcTime(atMs: number): string {
  return `${TIME_FORMAT.format(atMs)} UTC`;
}
