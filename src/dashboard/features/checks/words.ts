/** Texts of the table of checks. */
import type { CheckKind, CheckList } from '../../../contracts/check-list';
import type { HideableColumn } from '../../shared/list/view-search';
import type { Column, Grouping } from './rows';

/** The type of checks to which the page's path limits the table. */
export type CheckView = CheckList;

interface ViewText {
  readonly title: string;
  /** The label in the switch between views. */
  readonly short: string;
  readonly none: string;
  readonly whyNone: string;
}

export const VIEW_TEXT: Readonly<Record<CheckView, ViewText>> = {
  checks: {
    title: 'Checks',
    short: 'All',
    none: 'No checks yet',
    whyNone:
      'A monitor sends one request on a schedule, or waits for a job to report. A scenario runs several steps and passes values between them.',
  },
  monitors: {
    title: 'Monitors',
    short: 'Monitors',
    none: 'No monitors yet',
    whyNone:
      'A monitor sends one request on a schedule, from one or more regions, or waits for a job to report.',
  },
  scenarios: {
    title: 'Scenarios',
    short: 'Scenarios',
    none: 'No scenarios yet',
    whyNone:
      'A scenario sends requests in sequence and passes values between them: log in, create an order, read it, delete it.',
  },
};

export const TABLE_TEXT = {
  groupBy: 'Group by',
  narrow: 'hidden at this width',
  views: 'Views',
} as const;

export const VIEW_WORDS = {
  presets: 'Built in',
  shared: 'Shared',
  own: 'Only you',
  edited: 'edited',
  saveAs: 'Save as view …',
  saveTitle: 'Save view',
  saveAbout: 'Saves this list’s filters, sorting, grouping and columns.',
  renameTitle: 'Rename or share view',
  rename: 'Rename or share …',
  update: 'Save changes to this view',
  delete: 'Delete this view',
  deleteText: 'It will be removed for everyone. The checks stay as they are.',
  share: 'Share with everyone in this account',
  shareHint: 'Off: only you see it.',
  shareLocked: 'Only its creator can make it private.',
  saved: 'View saved.',
  deleted: 'View deleted.',
} as const;

export const KIND_WORDS: Readonly<Record<CheckKind, string>> = {
  http: 'HTTP',
  tcp: 'TCP port',
  tls: 'TLS certificate',
  dns: 'DNS record',
  ping: 'Ping',
  websocket: 'WebSocket',
  grpc: 'gRPC health',
  domain: 'Domain',
  heartbeat: 'Heartbeat',
  scenario: 'Scenario',
};

export const GROUPING_WORDS: Readonly<Record<Grouping, string>> = {
  group: 'Group',
  tag: 'Tag',
  status: 'Status',
  none: 'None',
};

const FIGURE_WORDS = {
  uptime24h: 'Uptime 24 h',
  uptime7d: 'Uptime 7 d',
  uptime30d: 'Uptime 30 d',
  p95: 'p95',
  interval: 'Interval',
  last: 'Last check',
  tls: 'TLS',
} as const;

const COLUMN_WORDS: Readonly<Record<HideableColumn | Column, string>> = {
  status: 'Status',
  name: 'Name',
  beats: 'Last checks',
  ...FIGURE_WORDS,
};

/** Full names of columns whose headers are abbreviated. */
const COLUMN_HINTS: Partial<Readonly<Record<HideableColumn | Column, string>>> = {
  uptime24h: 'Uptime, last 24 hours',
  uptime7d: 'Uptime, last 7 days',
  uptime30d: 'Uptime, last 30 days',
  p95: 'p95 of the response time, last 24 hours',
  tls: 'Days until the certificate expires',
};

interface ColumnText {
  readonly name: string;
  readonly hint?: string | undefined;
}

const RUN_TEXT: Partial<Readonly<Record<HideableColumn | Column, ColumnText>>> = {
  beats: { name: 'Last runs' },
  last: { name: 'Last run' },
  p95: { name: 'p95', hint: 'p95 of the duration, last 24 hours' },
};

/** Returns the texts of a column. They contain the word "runs" for scenarios and "checks" for monitors. */
export function columnText(column: HideableColumn | Column, view: CheckView): ColumnText {
  const ofRuns = view === 'scenarios' ? RUN_TEXT[column] : undefined;
  return ofRuns ?? { name: COLUMN_WORDS[column], hint: COLUMN_HINTS[column] };
}

interface Preset {
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
}

export const PRESETS: readonly Preset[] = [
  { name: 'Needs attention', search: { status: 'down,degraded', by: 'none' } },
  { name: 'Slowest first', search: { sort: '-p95', by: 'none' } },
  { name: 'Lowest uptime first', search: { sort: 'uptime30d', by: 'none' } },
  { name: 'Certificates that expire first', search: { sort: 'tls', by: 'none' } },
];
