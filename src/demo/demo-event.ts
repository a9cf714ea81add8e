/** The events of the demo, and how each is rendered on one line. */

export type DemoEvent =
  | {
      readonly kind: 'check';
      readonly at: Date;
      readonly name: string;
      readonly status: string;
      readonly region: string;
      readonly durationMs: number | null;
      readonly detail: string | null;
    }
  | {
      readonly kind: 'run';
      readonly at: Date;
      readonly name: string;
      readonly status: string;
      readonly region: string;
      readonly durationMs: number | null;
      readonly detail: string | null;
    }
  | {
      readonly kind: 'incident';
      readonly at: Date;
      readonly name: string;
      readonly status: 'opened' | 'acknowledged' | 'closed';
      readonly detail: string | null;
    }
  | {
      readonly kind: 'alert';
      readonly at: Date;
      /** The title of the alert. */
      readonly name: string;
      readonly status: string;
      /** The recipient of the alert. */
      readonly recipient: string;
    };

/** The events that are found by polling the service. */
export type ServiceEvent = Exclude<DemoEvent, { readonly kind: 'alert' }>;

const RESET = '\u001b[0m';
const GREEN = '\u001b[32m';
const YELLOW = '\u001b[33m';
const RED = '\u001b[31m';
const BRIGHT_RED = '\u001b[1;31m';
const BRIGHT_GREEN = '\u001b[1;32m';

const COLOURS: Readonly<Record<string, string>> = {
  up: GREEN,
  passed: GREEN,
  degraded: YELLOW,
  unknown: YELLOW,
  down: RED,
  failed: RED,
  timed_out: RED,
  failure: RED,
  recovery: GREEN,
  opened: BRIGHT_RED,
  acknowledged: YELLOW,
  closed: BRIGHT_GREEN,
};

/** Formats the event as one line, without a line break. */
export function renderEvent(event: DemoEvent, isColoured: boolean): string {
  const text = [
    event.at.toISOString().slice(11, 19),
    event.kind.padEnd(8),
    event.status.padEnd(9),
    renderMeasurement(event),
    'detail' in event && event.detail !== null ? `${event.name}: ${event.detail}` : event.name,
  ].join(' ');
  const colour = COLOURS[event.status];
  return isColoured && colour !== undefined ? `${colour}${text}${RESET}` : text;
}

/** Width of the column with the duration and region, or with the recipient of an alert. */
const WIDTH = 17;

function renderMeasurement(event: DemoEvent): string {
  if (event.kind === 'alert') return event.recipient.padEnd(WIDTH);
  if (event.kind === 'incident') return ''.padEnd(WIDTH);
  const duration = event.durationMs === null ? '-' : `${Math.round(event.durationMs)} ms`;
  return `${duration.padStart(7)} ${event.region.padEnd(9)}`;
}

/** True on a terminal, unless NO_COLOR is set (no-color.org). */
export function isColourWanted(output: { readonly isTTY?: boolean }, noColour?: string): boolean {
  return output.isTTY === true && (noColour ?? '') === '';
}
