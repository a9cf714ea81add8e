/** Types of results and of queries for results. */
import type { StepOutcome } from '../../contracts/outcome';
import type { Gap } from '../../contracts/records';
import type { Page } from '../store/pages';

export interface ResultQuery {
  readonly monitorId: string;
  readonly regions: readonly string[];
  /** Start of the range of slots, which is inclusive. */
  readonly fromMs: number | null;
  /** End of the range of slots, which is exclusive. */
  readonly toMs: number | null;
  readonly status: Result['status'] | null;
  /** Selects only results that fulfil the “check now” request with this id. */
  readonly requestId?: string | undefined;
  readonly limit: number;
  /** True means oldest first. The default is newest first. */
  readonly isOldestFirst?: boolean | undefined;
  /** The list continues after this result. Results of the same slot are ordered by region. */
  readonly after: { readonly slotMs: number; readonly region: string; readonly id: string } | null;
}

/** A check, a recorded run, or a gap, in one region and slot. */
export interface Result {
  readonly id: string;
  readonly accountId: string;
  readonly monitorId: string;
  readonly revision: number;
  readonly region: string;
  readonly slotMs: number;
  readonly kind: 'scheduled' | 'manual';
  readonly trigger: 'save' | 'schedule' | 'manual';
  readonly status: StepOutcome['status'];
  /** True if the check ran during maintenance, so no one was notified. */
  readonly inMaintenance: boolean;
  /** Response time of the check, or duration of the run. null if not measured. */
  readonly responseTimeMs: number | null;
  /** The outcome. null for a gap or a run. The outcome of a run is in its run record. */
  readonly outcome: StepOutcome | null;
  readonly gap: Gap | null;
  /** Ids of the “check now” requests that this result fulfils. Absent if there is none. */
  readonly requestIds?: readonly string[];
}

/** The slots of one region. Both limits are inclusive. */
export interface GapQuery extends Pick<Result, 'monitorId' | 'region'> {
  readonly fromSlotMs: number;
  readonly toSlotMs: number;
}

export interface ResultCounts {
  readonly total: number;
  readonly up: number;
  readonly degraded: number;
  readonly down: number;
  readonly unknown: number;
  /** Number of slots inside gaps. */
  readonly missed: number;
  readonly responseTimeMs: {
    readonly avg: number | null;
    readonly min: number | null;
    readonly max: number | null;
  };
}

export interface ResultStore {
  readonly page: (accountId: string, query: ResultQuery) => Promise<Page<Result>>;
  readonly find: (accountId: string, id: string) => Promise<Result | null>;
  /** Counts results. Gaps count only as missed slots. Response times come from up and degraded checks. */
  readonly count: (
    accountId: string,
    query: Pick<ResultQuery, 'monitorId' | 'regions' | 'fromMs' | 'toMs'>,
  ) => Promise<ResultCounts>;
}
