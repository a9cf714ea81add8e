/** The stored form of a result. Field names are short, because there are millions of results. */
import { HEARTBEAT_REGION } from '../../contracts/heartbeat';
import type { Gap } from '../../contracts/records';
import { buildResultId, parseResultId } from '../../domain/health/result-id';
import { LATE_AFTER_MS } from '../../domain/health/slot-ledger';
import { defineCollection } from '../store/define-schema';
import { fromCompactText, toCompactText } from './compact-outcome';
import type { Result } from './result';

/** The numbers of statuses. Gaps have their own number, so that they are not counted as checks. */
export const STATUS_NUMBERS = { up: 0, degraded: 1, down: 2, unknown: 3, gap: 4 } as const;
const STATUS_NAMES = ['up', 'degraded', 'down', 'unknown', 'unknown'] as const;

export interface ResultDocument {
  readonly _id: string;
  /** The account. */
  readonly a: string;
  /** The definition revision. */
  readonly v: number;
  /** The status, as a number. */
  readonly s: number;
  /** The trigger. Absent for `schedule`. */
  readonly t?: Result['trigger'];
  /** Present if the check ran during maintenance. */
  readonly m?: true;
  /** The response time in milliseconds. */
  readonly r?: number;
  /** All other fields of the outcome, as compact text. Absent for a gap. */
  readonly o?: string;
  /** The reason, the last slot and the number of slots of a gap. The first slot of the gap is in the id. */
  readonly gr?: Gap['reason'];
  readonly gt?: number;
  readonly gn?: number;
  /** Present if the check started late. Absent if it started in time, or was not scheduled. */
  readonly l?: true;
  /** The reason why nothing was measured. Absent for a run, or if something was measured. */
  readonly u?: string;
  /** Ids of the “check now” requests that this result fulfils. Absent if there is none. */
  readonly q?: readonly string[];
}

export const resultCollection = defineCollection<ResultDocument>(
  'results',
  {
    a: String,
    v: Number,
    s: Number,
    t: String,
    m: Boolean,
    r: Number,
    o: String,
    gr: String,
    gt: Number,
    gn: Number,
    l: Boolean,
    u: String,
    q: { type: [String], default: undefined },
  },
  { indexes: [{ key: { s: 1, _id: 1 } }], clustered: true },
);

/** Returns the status for a stored number. A gap is `unknown`. */
export function toResultStatus(number: number): Result['status'] {
  return STATUS_NAMES[number] ?? 'unknown';
}

/** Converts the result to its stored form. Its id is computed from the result. */
export function toResultDocument(result: Result): ResultDocument {
  const { outcome, gap } = result;
  return {
    _id: buildResultId(result),
    a: result.accountId,
    v: result.revision,
    s: gap === null ? STATUS_NUMBERS[result.status] : STATUS_NUMBERS.gap,
    ...(result.trigger === 'schedule' ? {} : { t: result.trigger }),
    ...(outcome === null ? {} : { o: toCompactText(outcome) }),
    ...(result.inMaintenance ? { m: true } : {}),
    ...(result.responseTimeMs === null ? {} : { r: result.responseTimeMs }),
    ...(gap === null ? {} : { gr: gap.reason, gt: gap.toSlotMs, gn: gap.slots }),
    ...(isLate(result) ? { l: true } : {}),
    ...(result.status === 'unknown' && outcome?.failure ? { u: outcome.failure.code } : {}),
    ...(result.requestIds === undefined ? {} : { q: result.requestIds }),
  };
}

/** True if the check started late. Heartbeats are never late, because their jobs have no fixed slots. */
function isLate({ outcome, kind, region, slotMs }: Result): boolean {
  if (outcome === null || kind !== 'scheduled' || region === HEARTBEAT_REGION) return false;
  return Date.parse(outcome.startedAt) - slotMs > LATE_AFTER_MS;
}

/** Restores the result from its document. */
export function toResult(document: ResultDocument): Result {
  const { _id: id, o, r: responseTimeMs = null } = document;
  const key = parseResultId(id);
  const status = toResultStatus(document.s);
  return {
    ...key,
    id,
    status,
    accountId: document.a,
    revision: document.v,
    inMaintenance: document.m === true,
    responseTimeMs,
    trigger: document.t ?? 'schedule',
    outcome: o === undefined ? null : fromCompactText(o, { status, responseTimeMs }),
    gap: toGap(document)[0] ?? null,
    ...(document.q === undefined ? {} : { requestIds: document.q }),
  };
}

/** Restores the gap. Returns nothing if the document is a check. */
export function toGap({
  _id,
  gr: reason,
  gt: toSlotMs,
  gn: slots,
}: Pick<ResultDocument, '_id' | 'gr' | 'gt' | 'gn'>): Gap[] {
  if (reason === undefined || toSlotMs === undefined || slots === undefined) return [];
  return [{ reason, fromSlotMs: parseResultId(_id).slotMs, toSlotMs, slots }];
}
