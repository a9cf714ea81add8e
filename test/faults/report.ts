/** The outcome of faults as a table of at most 80 columns, and as JSON. */
import type { AlertCounts, SlotCounts } from './ledger';

export interface FaultRow {
  readonly fault: string;
  readonly seconds: number;
  readonly slots: SlotCounts;
  readonly alerts: AlertCounts;
  /** From the end of the fault until each monitor was measured at a later slot. */
  readonly normalMs: number;
}

const HEADS = [
  'fault',
  'due',
  'meas',
  'gap',
  'lost',
  'dbl',
  'down',
  'owed',
  'sent',
  'dbl',
  'normal',
];
const NAME_WIDTH = 24;
const WIDTH = 5;

/** Slots due, measured, named as gap, lost, doubled; false downs; alerts owed, sent, doubled; time to normal. */
export function renderTable(rows: readonly FaultRow[]): string {
  const cells = rows.map(({ fault, slots, alerts, normalMs }) => [
    fault,
    slots.due,
    slots.measured,
    slots.gaps,
    slots.lost,
    slots.doubled,
    slots.falseDowns,
    alerts.owed,
    alerts.sent,
    alerts.doubled,
    `${Math.round(normalMs / 1_000)} s`,
  ]);
  return [HEADS, ...cells].map(renderLine).join('\n');
}

function renderLine([name = '', ...rest]: readonly (string | number)[]): string {
  const columns = rest.map((cell) => String(cell).padStart(WIDTH - 1));
  return `${String(name).padEnd(NAME_WIDTH)}${columns.join(' ')}`.slice(0, 80);
}
