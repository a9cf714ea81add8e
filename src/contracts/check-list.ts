/** The filters, sorting and columns of the list of checks, as parameters of its URL. */
import { NETWORK_KINDS } from './kinds';

/** The types of lists, as in the URL of their page. */
export const CHECK_LISTS = ['checks', 'monitors', 'scenarios'] as const;

export type CheckList = (typeof CHECK_LISTS)[number];

/** The kinds of checks by which the list can be filtered. */
export const CHECK_KINDS = ['http', ...NETWORK_KINDS, 'heartbeat', 'scenario'] as const;

export type CheckKind = (typeof CHECK_KINDS)[number];

/** The order of states for sorting. The state of a group is the worst state of its checks. */
export const WORST_FIRST = [
  'down',
  'degraded',
  'unknown',
  'pending',
  'maintenance',
  'paused',
  'up',
] as const;

const FIGURES = ['uptime24h', 'uptime7d', 'uptime30d', 'p95', 'interval', 'last', 'tls'] as const;

/** The columns by which the list can be sorted. */
export const CHECK_COLUMNS = ['status', 'name', ...FIGURES] as const;

/** Columns that can be left out. */
export const HIDEABLE_COLUMNS = ['beats', ...FIGURES] as const;

export const CHECK_GROUPINGS = ['group', 'tag', 'status', 'none'] as const;

/** The parameters of the page's URL. A parameter with its default value is left out. */
export interface CheckListQuery {
  readonly q?: string | undefined;
  readonly type?: CheckKind | undefined;
  readonly group?: string | undefined;
  readonly tag?: string | undefined;
  readonly region?: string | undefined;
  /** Statuses, separated by commas. */
  readonly status?: string | undefined;
  /** The column to sort by. A leading `-` puts the largest value first. */
  readonly sort?: string | undefined;
  readonly by?: (typeof CHECK_GROUPINGS)[number] | undefined;
  readonly rows?: 'compact' | undefined;
  /** Hidden columns, separated by commas. */
  readonly hide?: string | undefined;
}
