/**
 * The database of a simulated service, in memory. The real recorder and the real API of watches use its writes, which
 * store the same data as the real writes. It never deletes data, so that an oracle can read everything afterwards.
 */
import type { MonitorCheckRecord } from '../../../src/contracts/records';
import { withGap } from '../../../src/domain/health/result-id';
import { cutGap } from '../../../src/domain/health/schedule';
import { findPeriodStart, HOUR_MS } from '../../../src/domain/health/summary';
import { findLastStoredMs, watchId } from '../../../src/domain/health/watches';
import type { Incident } from '../../../src/models/alerting/incidents';
import { UNANSWERED } from '../../../src/models/alerting/incidents';
import type { Monitor } from '../../../src/models/resources/monitors';
import type { RecordWrites } from '../../../src/models/results/record-writes';
import type { Result, ResultStore } from '../../../src/models/results/result';
import type { StatusDocument, StoredStatus } from '../../../src/models/results/statuses';
import type { WatchedStatusMove, WatchedWrites } from '../../../src/models/results/watched-writes';
import type { WatchHolder } from '../../../src/models/watches/watches';
import { systemClock } from '../../../src/platform/clock';
import { createCheckRecorder } from '../../../src/services/results/record-check';
import { recordDelivery } from '../../../src/services/results/record-delivery';
import { openWatches } from '../../../src/services/watches/open-watches';
import { pendingStatus } from '../../models/example-records';
import type { ResultDatabase } from '../ledger-activities';
import type { Faults } from './faults';

/** The value for "no slot yet" in stored records. */
const NO_SLOT = -1;

export type BreakWrites = (writes: RecordWrites) => RecordWrites;

export class MemoryDatabase {
  readonly monitors = new Map<string, Monitor>();
  /** Results by id. */
  readonly results = new Map<string, Result>();
  readonly incidents = new Map<string, Incident>();
  /** The first record that was stored for each slot and kind. */
  readonly records = new Map<string, MonitorCheckRecord>();
  private readonly statuses = new Map<string, StatusDocument>();
  private readonly holders = new Map<string, WatchHolder>();

  /** Saves a monitor. If it is new, creates its status. */
  save(monitor: Monitor): void {
    const { accountId, id, createdAtMs } = monitor;
    this.monitors.set(id, monitor);
    if (this.statuses.has(id)) return;
    const { lastSlotMs: _none, id: _id, ...status } = pendingStatus(accountId, id);
    this.statuses.set(id, {
      ...status,
      _id: id,
      healthSinceMs: createdAtMs,
      nextSlotMs: createdAtMs,
      lastSlotMs: NO_SLOT,
      incidentId: null,
      inMaintenance: false,
      summarisedUntilMs: findPeriodStart(HOUR_MS, createdAtMs),
      changedAtMs: 0,
    });
  }

  readStatus(id: string): StoredStatus | null {
    const found = this.statuses.get(id);
    if (found === undefined) return null;
    const { _id, lastSlotMs, incidentId, isWatched: _isWatched, ...status } = found;
    return {
      ...status,
      id,
      lastSlotMs: lastSlotMs === NO_SLOT ? null : lastSlotMs,
      currentIncidentId: incidentId,
    };
  }

  /** Returns the records of the monitor in the order in which they were stored. */
  readRecords(id: string): readonly MonitorCheckRecord[] {
    return [...this.records.values()].filter(({ monitorId }) => monitorId === id);
  }

  findOpenIncident(resourceId: string): Incident | null {
    const own = [...this.incidents.values()].filter((one) => one.resourceId === resourceId);
    return own.findLast(({ closedAtMs }) => closedAtMs === null) ?? null;
  }

  /** Opens the database for a virtual service. */
  open(
    faults: Pick<Faults, 'before' | 'after'>,
    breakWrites: BreakWrites = (writes) => writes,
  ): ResultDatabase {
    const recorder = createCheckRecorder(breakWrites(this.recordWrites()));
    const faulty = async <Answer>(
      [call, ...monitorIds]: readonly [string, ...string[]],
      answer: () => Promise<Answer>,
    ): Promise<Answer> => {
      await faults.before(monitorIds);
      const answered = await answer();
      await faults.after(call);
      return answered;
    };
    const { watched, watches } = this.watchStores();
    const needs = { stores: { watchedResults: watched, watches }, clock: systemClock } as never;
    return {
      recorder: {
        ...recorder,
        recordMonitorCheck: (record) => {
          const { monitorId, slotMs, kind } = record;
          const place = `${monitorId} ${slotMs} ${kind}`;
          return faulty([place, monitorId], async () => {
            const recorded = await recorder.recordMonitorCheck(record);
            if (!this.records.has(place)) this.records.set(place, record);
            return recorded;
          });
        },
      },
      results: { page: (account, query) => faulty(['read'], () => this.page(account, query)) },
      watchApi: (region, instance) => ({
        openWatches: (asked) =>
          faulty(['open'], () => openWatches(needs, { region, instance, watches: asked })),
        deliverResults: (results) =>
          faulty(
            [`${region} ${results[0]?.slotMs}`, ...results.map(({ monitorId }) => monitorId)],
            () => recordDelivery(needs, { region, instance, results }),
          ),
      }),
    };
  }

  private readonly page: ResultStore['page'] = async (_account, query) => {
    const { monitorId, regions, fromMs, toMs, limit } = query;
    const isAsked = ({ slotMs, ...row }: Result): boolean =>
      row.monitorId === monitorId &&
      regions.includes(row.region) &&
      slotMs >= (fromMs ?? 0) &&
      slotMs < (toMs ?? Number.POSITIVE_INFINITY);
    const found = [...this.results.values()].filter(isAsked);
    const newest = found.toSorted((a, b) => b.slotMs - a.slotMs);
    return { items: newest.slice(0, limit), hasMore: newest.length > limit };
  };

  private readonly insertResults = async (batch: readonly Result[]): Promise<void> => {
    for (const result of batch) this.insertResult(result);
  };

  /**
   * Stores a result. If a result with this id is stored already, it stays. If the new result is a gap, only its slots
   * after the stored one are stored.
   */
  private insertResult(result: Result): void {
    const { id, gap } = result;
    const found = this.results.get(id);
    if (found === undefined) {
      this.results.set(id, result);
      return;
    }
    if (gap === null) return;
    const rest = cutGap(gap, found.gap?.toSlotMs ?? gap.fromSlotMs);
    if (rest !== null) this.insertResult(withGap(result, rest));
  }

  private summaryWrites() {
    return {
      summariseHours: async () => undefined,
      noteSummaries: async ({ id }: { readonly id: string }, untilMs: number) => {
        this.change(id, ({ summarisedUntilMs }) => ({
          summarisedUntilMs: Math.max(summarisedUntilMs, untilMs),
        }));
      },
    };
  }

  private change(id: string, next: (status: StatusDocument) => Partial<StatusDocument>): void {
    const status = this.statuses.get(id);
    if (status !== undefined) this.statuses.set(id, { ...status, ...next(status) });
  }

  private recordWrites(): RecordWrites {
    return {
      ...this.summaryWrites(),
      insertResults: this.insertResults,
      readGaps: async ({ monitorId, region, toSlotMs }) =>
        [...this.results.values()].flatMap((row) =>
          row.monitorId === monitorId && row.region === region && row.slotMs <= toSlotMs
            ? (row.gap ?? [])
            : [],
        ),
      advanceStatus: async ({ id, slotMs, fields }) => {
        const status = this.statuses.get(id);
        if (status === undefined) return { kind: 'gone' };
        if (status.lastSlotMs > slotMs) return { kind: 'later', lastSlotMs: status.lastSlotMs };
        this.change(id, () => ({ ...fields, lastSlotMs: slotMs, changedAtMs: Date.now() }));
        const regions = status.regionsHealth.map(({ region }) => region);
        return { kind: 'advanced', summarisedUntilMs: status.summarisedUntilMs, regions };
      },
      isStatusPresent: async ({ id }) => this.statuses.has(id),
      deleteResults: async (batch) => {
        for (const { id } of batch) this.results.delete(id);
      },
      saveIncident: async (incident) => {
        const known = this.incidents.get(incident.id) ?? { ...UNANSWERED, ...incident };
        const closedAtMs = known.closedAtMs ?? incident.closedAtMs;
        this.incidents.set(incident.id, { ...known, closedAtMs });
      },
      saveSignInFailure: async () => undefined,
      saveDecisions: async () => true,
      saveRun: async () => true,
      saveEvidence: async () => undefined,
      keepEvidenceBefore: async () => undefined,
      insertChanges: async () => undefined,
    };
  }

  private watchStores() {
    const watched: WatchedWrites = {
      ...this.summaryWrites(),
      insertResults: this.insertResults,
      saveEvidence: async () => undefined,
      insertChanges: async () => undefined,
      listMovedSince: async () => [],
      readGrids: async (ids) => this.readAll(ids, (id) => this.readGrid(id)),
      readStatuses: async (ids) => this.readAll(ids, (id) => this.statuses.get(id)),
      isMeasured: async (id, region, { fromSlotMs, toSlotMs }) =>
        [...this.results.values()].some(
          (row) =>
            row.monitorId === id &&
            row.region === region &&
            row.gap === null &&
            row.slotMs >= fromSlotMs &&
            row.slotMs <= toSlotMs,
        ),
      findStored: async (ids) => new Set(ids.filter((id) => this.results.has(id))),
      listStoredBefore: async () => [],
      advanceStatuses: async (moves) => moves.map((move) => this.move(move)).every(Boolean),
    };
    const watches = {
      noteAlive: async () => undefined,
      open: async (holders: readonly WatchHolder[]) => {
        for (const one of holders) this.holders.set(watchId(one.monitorId, one.region), one);
      },
      findHolders: async (asked: readonly Pick<WatchHolder, 'monitorId' | 'region'>[]) => {
        const ids = asked.map(({ monitorId, region }) => watchId(monitorId, region));
        return this.readAll(ids, (id) => this.holders.get(id));
      },
    };
    return { watched, watches };
  }

  private readAll<Found>(ids: readonly string[], find: (id: string) => Found | undefined) {
    const found = new Map<string, Found>();
    for (const id of ids) {
      const one = find(id);
      if (one !== undefined) found.set(id, one);
    }
    return found;
  }

  private readGrid(id: string) {
    const monitor = this.monitors.get(id);
    return monitor && { ...monitor, intervalMs: monitor.intervalSeconds * 1_000 };
  }

  /** Moves the part of one region in the status to the slot. Returns false if the part is already at a later slot. */
  private move(move: WatchedStatusMove): boolean {
    const { region, slotMs, nextSlotMs, checkedAtMs, responseTimeMs, measured } = move;
    const status = this.statuses.get(move.status._id);
    if (status === undefined || findLastStoredMs(status, region) > slotMs) return false;
    this.change(status._id, (known) => ({
      isWatched: true,
      changedAtMs: Date.now(),
      lastSlotMs: Math.max(known.lastSlotMs, slotMs),
      nextSlotMs: Math.max(known.nextSlotMs ?? 0, nextSlotMs),
      lastCheckedAtMs: Math.max(known.lastCheckedAtMs ?? 0, checkedAtMs),
      regionsHealth: known.regionsHealth.map((one) =>
        one.region === region && responseTimeMs !== null
          ? { ...one, lastResponseTimeMs: responseTimeMs }
          : one,
      ),
      ...(known.measured && {
        measured: known.measured.map((one) => (one.region === region ? measured : one)),
      }),
    }));
    return true;
  }
}
