/** Formats shares and response times in the same way on every page, badge and line. Pure. */

/** The number of decimals for each range of percentages. More decimals distinguish values close to 100%. */
const DECIMALS = [
  { belowPercent: 99, decimals: 1 },
  { belowPercent: 99.9, decimals: 2 },
] as const;
const DECIMALS_MAX = 3;

/**
 * Formats a percentage, for example `97.3%`, `99.42%` or `99.987%`. Never rounds up to 100%. Columns use it too, so
 * that one value has the same text everywhere.
 */
export function formatPercent(value: number): string {
  if (value === 0 || value === 100) return `${value}%`;
  const digits =
    DECIMALS.find(({ belowPercent }) => value < belowPercent)?.decimals ?? DECIMALS_MAX;
  const factor = 10 ** digits;
  return `${(Math.floor(value * factor) / factor).toFixed(digits)}%`;
}

/** Formats a duration, for example `932 ms` or `3.7 s`. */
export function formatMilliseconds(ms: number): string {
  const whole = Math.round(ms);
  return whole < 1_000 ? `${whole} ms` : `${(whole / 1_000).toFixed(1)} s`;
}
