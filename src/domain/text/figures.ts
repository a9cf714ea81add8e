/** Formats shares and response times in the same way on every page, badge and line. Pure. */

/** The number of decimals for each range of percentages. More decimals distinguish values close to 100%. */
const DECIMALS = [
  { belowPercent: 99, decimals: 1 },
  { belowPercent: 99.9, decimals: 2 },
] as const;
const DECIMALS_MAX = 3;

/** Formats a percentage, for example `97.3%` or `99.987%`. Never rounds up to 100%. */
export function formatPercent(value: number): string {
  const decimals = DECIMALS.find(({ belowPercent }) => value < belowPercent)?.decimals;
  return formatDigits(value, decimals ?? DECIMALS_MAX);
}

/** Formats a percentage in a column, where all values have the same number of decimals, for example `97.312%`. */
export function formatColumnPercent(value: number): string {
  return formatDigits(value, DECIMALS_MAX);
}

function formatDigits(value: number, digits: number): string {
  if (value === 0 || value === 100) return `${value}%`;
  const factor = 10 ** digits;
  return `${(Math.floor(value * factor) / factor).toFixed(digits)}%`;
}

/** Formats a duration, for example `932 ms` or `3.7 s`. */
export function formatMilliseconds(ms: number): string {
  const whole = Math.round(ms);
  return whole < 1_000 ? `${whole} ms` : `${(whole / 1_000).toFixed(1)} s`;
}
