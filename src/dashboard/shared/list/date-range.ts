/** A range of days in local time, as `2026-01-31`, and the ranges offered by name. Pure. */

export interface DateRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const DAY_TEXT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** Lists the ranges that have a name: any time, and ranges that end today. */
export function listPresets(nowMs: number): readonly (DateRange & { readonly label: string })[] {
  const to = localDay(nowMs, 0);
  return [
    { label: 'Any time' },
    { label: 'Today', from: to, to },
    { label: 'Last 7 days', from: localDay(nowMs, -6), to },
    { label: 'Last 30 days', from: localDay(nowMs, -29), to },
    { label: 'Last 90 days', from: localDay(nowMs, -89), to },
  ];
}

/** Describes a range, like `Last 7 days`, `1 Nov 2026 – 29 Nov 2026` or `From 1 Nov 2026`. */
export function describeRange({ from, to }: DateRange, nowMs: number): string {
  const preset = listPresets(nowMs).find((known) => known.from === from && known.to === to);
  if (preset !== undefined) return preset.label;
  if (to === undefined) return `From ${formatDay(from)}`;
  if (from === undefined) return `Until ${formatDay(to)}`;
  return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
}

/** Formats a day. Uses noon, which is on the same day in every zone that the browser may have. */
function formatDay(day = ''): string {
  const at = new Date(`${day}T12:00:00`);
  return Number.isNaN(at.getTime()) ? day : DAY_TEXT.format(at);
}

function localDay(nowMs: number, plusDays: number): string {
  const at = new Date(nowMs);
  at.setDate(at.getDate() + plusDays);
  const parts = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
