/** The time spans that a page is zoomed to. */

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The shortest span. A shorter span would contain too few checks for a chart. */
export const SPAN_MIN_MS = 10 * 60_000;
const SPAN_MAX_MS = 90 * 24 * 3_600_000;

/** Returns the span in the URL. null if the URL has none or an invalid one. */
export function readSpan(search: Readonly<Record<string, string>>): Span | null {
  const [fromMs, toMs] = [Date.parse(search['from'] ?? ''), Date.parse(search['to'] ?? '')];
  return Number.isFinite(fromMs) && Number.isFinite(toMs) && fromMs < toMs
    ? { fromMs, toMs }
    : null;
}

/** Returns the span for the URL, rounded to full seconds. */
export function buildSearch({ fromMs, toMs }: Span): {
  readonly from: string;
  readonly to: string;
} {
  const text = (ms: number): string => new Date(Math.round(ms / 1_000) * 1_000).toISOString();
  return { from: text(fromMs), to: text(toMs) };
}

/** Returns the span between two points in any order. A span that is too short is extended to the minimum length. */
export function spanBetween(oneMs: number, otherMs: number): Span {
  const [fromMs, toMs] = [Math.min(oneMs, otherMs), Math.max(oneMs, otherMs)];
  const missingMs = Math.max(0, SPAN_MIN_MS - (toMs - fromMs)) / 2;
  return { fromMs: fromMs - missingMs, toMs: toMs + missingMs };
}

export const MOVES = {
  'Zoom in': ({ fromMs, toMs }: Span) => around((fromMs + toMs) / 2, (toMs - fromMs) / 2),
  'Zoom out': ({ fromMs, toMs }: Span) => around((fromMs + toMs) / 2, (toMs - fromMs) * 2),
  Earlier: ({ fromMs, toMs }: Span) => shifted({ fromMs, toMs }, -(toMs - fromMs) / 2),
  Later: ({ fromMs, toMs }: Span) => shifted({ fromMs, toMs }, (toMs - fromMs) / 2),
} as const;

/** A span that ended at most this long ago still counts as ending now, because its figures are read at intervals. */
const NOW_WITHIN_MS = 10 * 60_000;

/**
 * Moves or zooms the span. The result never ends later than now. Zooming into a span that ends now keeps its end,
 * because the newest results are there.
 */
export function moved(span: Span, move: keyof typeof MOVES, nowMs: number): Span {
  if (move === 'Zoom in' && nowMs - span.toMs <= NOW_WITHIN_MS) {
    const { fromMs, toMs } = MOVES[move](span);
    return shifted({ fromMs, toMs }, span.toMs - toMs);
  }
  const next = MOVES[move](span);
  return next.toMs > nowMs ? shifted(next, nowMs - next.toMs) : next;
}

function around(middleMs: number, lengthMs: number): Span {
  const half = Math.min(SPAN_MAX_MS, Math.max(SPAN_MIN_MS, lengthMs)) / 2;
  return { fromMs: middleMs - half, toMs: middleMs + half };
}

function shifted({ fromMs, toMs }: Span, byMs: number): Span {
  return { fromMs: fromMs + byMs, toMs: toMs + byMs };
}
