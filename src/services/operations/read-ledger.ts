/**
 * Computes the ledger of an account, which lists every due slot and every alert with its outcome. Slots are counted
 * from schedules, and outcomes from stored records, so that missing records are noticed. Reads summaries where
 * possible.
 */
import { HEARTBEAT_REGION } from '../../contracts/heartbeat';
import { accountForAlerts } from '../../domain/alerting/alert-ledger';
import {
  addAccounts,
  compareWithSchedule,
  countSlots,
  EMPTY_TALLY,
  type SlotAccount,
} from '../../domain/health/slot-ledger';
import { DAY_MS, findPeriodStart, HOUR_MS, type TimeSpan } from '../../domain/health/summary';
import type { DeliveryFate } from '../../models/alerting/alerts';
import type { Resource } from '../../models/resources/resource';
import type { StoredStatus } from '../../models/results/statuses';
import { AppError } from '../../platform/errors';
import { mapAtMost } from '../../platform/map-at-most';
import type { LedgerResponse } from '../../schemas/responses/ledger';
import { toInstant } from '../lists/instants';
import { type CalendarEntry, readEntries } from '../maintenance/account-calendar';
import { listSpans } from '../maintenance/maintenance-plans';
import type { Dependencies } from '../ports/dependencies';
import { readPause } from '../resources/pause';
import type { Checked } from './check-figures';
import type { CheckSource } from './check-source';

interface LedgerRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

const DAYS_DEFAULT = 7;
const DAYS_MAX = 31;
/** The ledger leaves out slots that are younger than this, because their results may not be stored yet. */
const UNDER_WAY_MS = 2 * 60_000;
const PAGE_SIZE = 500;
const READS_AT_ONCE = 4;
const NOTHING = addAccounts([]);
const FRESH_MS = 120_000;
/** Maximum number of cached ledgers. Each ledger has a few kilobytes. */
const KEPT_MAX = 200;

interface Kept {
  readonly untilMs: number;
  readonly ledger: Promise<LedgerResponse>;
}

/**
 * Returns the ledger. It is cached for two minutes per account and range. Throws `invalid_query` for a range of more
 * than 31 days.
 */
type FindLedger = (accountId: string, range: LedgerRange) => Promise<LedgerResponse>;

export function createFindLedger(needs: Needs, sources: readonly CheckSource[]): FindLedger {
  const kept = new Map<string, Kept>();
  return async (accountId, range) => {
    const nowMs = needs.clock.now();
    const span = readSpan(range, nowMs);
    const key = `${accountId} ${span.fromMs} ${span.toMs}`;
    const before = kept.get(key);
    if (before !== undefined && before.untilMs > nowMs) return before.ledger;
    const ledger = readLedger(needs, sources, { accountId, span });
    kept.delete(key);
    kept.set(key, { untilMs: nowMs + FRESH_MS, ledger });
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value ?? '');
    ledger.catch(() => kept.delete(key));
    return ledger;
  };
}

async function readLedger(
  needs: Needs,
  sources: readonly CheckSource[],
  { accountId, span }: { readonly accountId: string; readonly span: TimeSpan },
): Promise<LedgerResponse> {
  const nowMs = needs.clock.now();
  const days = splitDays(span);
  const [entries, deliveries] = await Promise.all([
    readEntries(needs.stores, accountId),
    needs.stores.alerts.listFates(accountId, span),
  ]);
  // Events are left out, because they are sent to programs and are not alerts to people.
  const fates = deliveries.filter(({ kind }) => kind !== 'event');
  let sums: readonly SlotAccount[] = days.map(() => NOTHING);
  let observedFromMs = span.fromMs;
  for await (const checks of readPages(sources, accountId)) {
    const counted = await mapAtMost(READS_AT_ONCE, checks.filter(isScheduled), (check) =>
      countCheck(needs, check, { days, entries, nowMs }),
    );
    observedFromMs = Math.max(observedFromMs, ...counted.map(({ heldFromMs }) => heldFromMs));
    sums = sums.map((sum, index) =>
      addAccounts([sum, ...counted.map(({ accounts }) => accounts[index] ?? NOTHING)]),
    );
  }
  return {
    from: toInstant(span.fromMs),
    to: toInstant(span.toMs),
    observedFrom: toInstant(observedFromMs),
    total: { slots: presentSlots(addAccounts(sums)), alerts: accountForAlerts(fates) },
    days: days.map((day, index) => ({
      date: toInstant(day.fromMs).slice(0, 10),
      slots: presentSlots(sums[index] ?? NOTHING),
      alerts: accountForAlerts(fates.filter((fate) => isInside(fate, day))),
    })),
  };
}

function isInside({ atMs }: DeliveryFate, { fromMs, toMs }: TimeSpan): boolean {
  return atMs >= fromMs && atMs < toMs;
}

/** Returns the span. By default, the span ends at the last full hour, so that it contains no slots in progress. */
function readSpan({ from, to }: LedgerRange, nowMs: number): TimeSpan {
  const lastMs = nowMs - UNDER_WAY_MS;
  const toMs = Math.min(to ?? findPeriodStart(HOUR_MS, lastMs), lastMs);
  const fromMs = Math.min(
    from ?? findPeriodStart(DAY_MS, toMs) - (DAYS_DEFAULT - 1) * DAY_MS,
    toMs,
  );
  if (toMs - fromMs > DAYS_MAX * DAY_MS)
    throw new AppError('invalid_query', `from and to must be at most ${DAYS_MAX} days apart.`);
  return { fromMs, toMs };
}

function splitDays({ fromMs, toMs }: TimeSpan): readonly TimeSpan[] {
  const days: TimeSpan[] = [];
  for (let atMs = fromMs; atMs < toMs; ) {
    const endMs = Math.min(findPeriodStart(DAY_MS, atMs) + DAY_MS, toMs);
    days.push({ fromMs: atMs, toMs: endMs });
    atMs = endMs;
  }
  return days;
}

async function* readPages(sources: readonly CheckSource[], accountId: string) {
  for (const source of sources)
    for (let cursor: string | undefined; ; ) {
      const page = await source.page({ accountId, limit: PAGE_SIZE, cursor });
      yield page.checks;
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
}

/** False for heartbeats, which have no slots, and for resources that are being deleted. */
function isScheduled({ resource }: Checked): boolean {
  return resource.state !== 'deleting' && !resource.regions.includes(HEARTBEAT_REGION);
}

interface Looked {
  readonly days: readonly TimeSpan[];
  readonly entries: readonly CalendarEntry[];
  readonly nowMs: number;
}

interface CountedCheck {
  /** One entry per day of the span. */
  readonly accounts: readonly SlotAccount[];
  /** Results of slots from this instant on are still stored. Older slots are known only from summaries. */
  readonly heldFromMs: number;
}

async function countCheck(
  { stores }: Needs,
  { resource, status }: Checked,
  { days, entries, nowMs }: Looked,
): Promise<CountedCheck> {
  const { accountId, id } = resource;
  const span = { fromMs: days[0]?.fromMs ?? nowMs, toMs: days.at(-1)?.toMs ?? nowMs };
  const over = await stores.timeline.readExcluded(accountId, { id, ...span });
  const excluded = [...over, ...presentExclusions(resource, entries, nowMs)];
  const scheduled = days.map((day) => countScheduled(resource, excluded, day));
  const accounts: SlotAccount[][] = days.map(() => []);
  let heldFromMs = span.fromMs;
  for (const region of listRegions(resource, status)) {
    const summarisedUntilMs = status?.summarisedUntilMs ?? 0;
    const query = { id, region, spans: days, summarisedUntilMs };
    const tallies = await stores.summaries.tally(accountId, query);
    for (const [index, tally] of tallies.entries()) {
      if (tally === null) heldFromMs = Math.max(heldFromMs, days[index]?.toMs ?? 0);
      const isCurrent = resource.regions.includes(region);
      const wanted = tally === null || !isCurrent ? null : (scheduled[index] ?? null);
      accounts[index]?.push(compareWithSchedule(tally ?? EMPTY_TALLY, wanted));
    }
  }
  return { accounts: accounts.map(addAccounts), heldFromMs };
}

/** Lists the regions of the resource, including former regions. */
function listRegions(resource: Resource, status: StoredStatus | null): readonly string[] {
  const known = status?.regionsHealth.map(({ region }) => region) ?? [];
  return [...new Set([...resource.regions, ...known])];
}

/** Returns the current pause and the current maintenance. The database stores each of them only after its end. */
function presentExclusions(
  resource: Resource,
  entries: readonly CalendarEntry[],
  nowMs: number,
): readonly TimeSpan[] {
  const { isPaused, pausedAtMs } = readPause(resource, nowMs);
  const paused = isPaused ? [{ fromMs: pausedAtMs ?? 0, toMs: Number.POSITIVE_INFINITY }] : [];
  const begun = listSpans(entries, resource).filter(
    ({ mode, fromMs }) => mode !== 'quiet' && fromMs <= nowMs,
  );
  return [...paused, ...begun];
}

/**
 * Returns the number of slots per region that the schedule requires. Returns null if the number is uncertain because of
 * a pause, maintenance or a changed definition.
 */
function countScheduled(
  { createdAtMs, updatedAtMs, anchorMs, intervalSeconds }: Resource,
  excluded: readonly TimeSpan[],
  day: TimeSpan,
): number | null {
  const isChanged = updatedAtMs > day.fromMs && updatedAtMs !== createdAtMs;
  if (isChanged || excluded.some((one) => one.fromMs < day.toMs && one.toMs > day.fromMs))
    return null;
  return countSlots({ anchorMs, intervalMs: intervalSeconds * 1_000 }, day);
}

function presentSlots({
  missed: missedReasons,
  due,
  made,
  late,
  unaccounted,
  verified,
}: SlotAccount): LedgerResponse['total']['slots'] {
  const missed = due - made - unaccounted;
  return { due, made, late, missed, missedReasons, unaccounted, verified };
}
