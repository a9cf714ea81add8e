/**
 * Formats the outcome of faults as a table of at most 80 columns, and as JSON. Figures are never truncated. Names are
 * shortened instead.
 */
import type { AlertCounts, SlotCounts } from './ledger';

export interface FaultRow {
  readonly fault: string;
  readonly seconds: number;
  readonly slots: SlotCounts;
  readonly alerts: AlertCounts;
  /** Milliseconds from the end of the fault until each monitor was measured at a later slot. */
  readonly normalMs: number;
  /** Milliseconds from the start of the fault until the last failure alert arrived. null if no alert was due. */
  readonly alertedMs: number | null;
}

interface Column {
  readonly head: string;
  readonly of: (row: FaultRow) => string | number;
}

const COLUMNS_MAX = 80;
const COLUMNS: readonly Column[] = [
  { head: 'due', of: ({ slots }) => slots.due },
  { head: 'meas', of: ({ slots }) => slots.measured },
  { head: 'gap', of: ({ slots }) => slots.gaps },
  { head: 'lost', of: ({ slots }) => slots.lost },
  { head: 'dbl', of: ({ slots }) => slots.doubled },
  { head: 'down', of: ({ slots }) => slots.falseDowns },
  { head: 'owed', of: ({ alerts }) => alerts.owed },
  { head: 'sent', of: ({ alerts }) => alerts.sent },
  { head: 'dbl', of: ({ alerts }) => alerts.doubled },
  { head: 'false', of: ({ alerts }) => alerts.false },
  { head: 'normal', of: ({ normalMs }) => formatSeconds(normalMs) },
  { head: 'alerted', of: ({ alertedMs }) => formatSeconds(alertedMs) },
];
const LEGEND = [
  'slots: due, measured, named as a gap, lost, doubled, false downs',
  'alerts: owed, sent, doubled, false; normal: until each is measured again',
  'alerted: from the start of the fault until the last failure alert arrived',
];

function formatSeconds(ms: number | null): string {
  return ms === null ? '–' : `${Math.round(ms / 1_000)} s`;
}

/**
 * Renders the table. Its columns are: slots due, measured, in gaps, lost, doubled; false downs; alerts due, sent,
 * doubled, false; time to recover.
 */
export function renderTable(rows: readonly FaultRow[]): string {
  const columns = COLUMNS.map(({ head, of }) => {
    const cells = [head, ...rows.map((row) => String(of(row)))];
    const width = Math.max(...cells.map(({ length }) => length));
    return cells.map((cell) => ` ${cell.padStart(width)}`);
  });
  const names = ['fault', ...rows.map(({ fault }) => fault)];
  const figures = names.map((_, line) => columns.map((cells) => cells[line]).join(''));
  const nameMax = COLUMNS_MAX - (figures[0]?.length ?? 0);
  const width = Math.min(nameMax, Math.max(...names.map(({ length }) => length)));
  return names.map((name, line) => `${shorten(name, width)}${figures[line]}`).join('\n');
}

/** Renders the table, and the meaning of its columns. */
export function renderReport(rows: readonly FaultRow[]): string {
  return [renderTable(rows), ...LEGEND].join('\n');
}

function shorten(name: string, width: number): string {
  return name.length > width ? `${name.slice(0, width - 1)}…` : name.padEnd(width);
}
