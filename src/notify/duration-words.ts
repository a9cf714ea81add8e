/** Formats durations for alerts and for the page that their links open. */

/** Formats a duration like `3 d 4 h`, `12 min`, or `45 s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const;
  const first = units.findIndex(([length]) => seconds >= length);
  if (first < 0) return '0 s';
  const parts = units.slice(first, first + 2).map(([length, name], index) => {
    const rest = index === 0 ? seconds : seconds % (units[first]?.[0] ?? 1);
    return { count: Math.floor(rest / length), name };
  });
  return parts
    .filter(({ count }) => count > 0)
    .map(({ count, name }) => `${count} ${name}`)
    .join(' ');
}
