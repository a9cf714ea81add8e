/**
 * Computes the uptime of a monitor or scenario over a window (docs/api.md). The time in each state comes from the
 * timeline. Counts and response times come from results.
 */
import type { MaintenanceSpan } from '../../contracts/maintenance';
import type { ExcludedPeriod } from '../../contracts/records';
import { countOutages, type OutageFigures } from '../../domain/health/outage-figures';
import {
  EMPTY_SUMMARY,
  mergeSummaries,
  type Summary,
  type TimeSpan,
} from '../../domain/health/summary';
import {
  measureBuckets,
  measureStates,
  type TimeByState,
  type Timeline,
} from '../../domain/health/timeline';
import { splitSpan } from '../../domain/health/uptime-buckets';
import type { Resource } from '../../models/resources/resource';
import type { StoredStatus } from '../../models/results/statuses';
import { type CalendarEntry, readEntries } from '../maintenance/account-calendar';
import { listSpans } from '../maintenance/maintenance-plans';
import type { Dependencies } from '../ports/dependencies';
import { listRegionsWithResults } from '../regions/regions';
import { findStatus } from './find-status';
import { readPause } from './pause';

export interface UptimeRequest {
  readonly id: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly windowMs: number;
  readonly region?: string | undefined;
}

/** The figures of a window, or of one part (bucket) of a window. */
export interface Measured {
  readonly time: TimeByState;
  readonly summary: Summary;
}

export interface MeasuredBucket extends Measured {
  readonly span: TimeSpan;
}

export interface ResourceUptime extends Measured {
  readonly span: TimeSpan;
  readonly byRegion: readonly (Measured & { readonly region: string })[];
  readonly buckets: readonly MeasuredBucket[];
  readonly outages: OutageFigures;
}

/**
 * If the next slot is overdue by more than an interval, and by at least this much, the time since the slot counts as
 * not observed.
 */
const LATE_MS = 60_000;

/**
 * Returns the uptime. `from` is inclusive, and `to` is exclusive. Time before the creation of the resource and time in
 * the future belong to no state.
 */
export async function measureUptime(
  needs: Dependencies,
  resource: Resource,
  request: UptimeRequest,
): Promise<ResourceUptime> {
  const nowMs = needs.clock.now();
  const toMs = request.to ?? nowMs;
  const span = { fromMs: request.from ?? toMs - request.windowMs, toMs };
  const [status, windows, regions] = await Promise.all([
    findStatus(needs, resource),
    readEntries(needs.stores, resource.accountId),
    listRegionsWithResults(needs, resource, request.region),
  ]);
  const maintenance = begunMaintenance(windows, resource, nowMs);
  const buckets = splitSpan(span);
  const scene: Scene = { needs, resource, status, maintenance, nowMs, span, buckets };
  const [whole, perRegion, spans] = await Promise.all([
    readTimeline(scene, request.region ?? null),
    Promise.all(regions.map((region) => measureRegion(scene, region))),
    needs.stores.incidents.spansSince(resource.accountId, {
      resourceId: resource.id,
      fromMs: span.fromMs,
    }),
  ]);
  const summaries = scene.buckets.map((_bucket, index) =>
    mergeSummaries(perRegion.map((region) => region.summaries[index] ?? EMPTY_SUMMARY)),
  );
  const times = measureBuckets(
    whole,
    scene.buckets.map((bucket) => observable(scene, bucket)),
  );
  return {
    span,
    outages: countOutages(spans, span, { nowMs, measure: (parts) => measureDown(whole, parts) }),
    time: measureStates(whole, observable(scene, span)),
    summary: mergeSummaries(summaries),
    byRegion: perRegion
      .filter(
        ({ region, summary }) => resource.regions.includes(region) || summary !== EMPTY_SUMMARY,
      )
      .map(({ region, time, summary }) => ({ region, time, summary })),
    buckets: scene.buckets.map((bucket, index) => ({
      span: bucket,
      time: times[index] ?? measureStates(whole, { fromMs: 0, toMs: 0 }),
      summary: summaries[index] ?? EMPTY_SUMMARY,
    })),
  };
}

/**
 * Returns the downtime in each part. An outage also continues while nothing is observed. Maintenance and pauses are
 * never downtime.
 */
function measureDown(timeline: Timeline, parts: readonly TimeSpan[]): readonly number[] {
  return measureBuckets(timeline, parts).map(
    ({ up, degraded, down, unknown }) => up + degraded + down + unknown,
  );
}

function begunMaintenance(
  entries: readonly CalendarEntry[],
  resource: Resource,
  nowMs: number,
): readonly MaintenanceSpan[] {
  return listSpans(entries, resource).filter(
    ({ mode, fromMs }) => mode !== 'quiet' && fromMs <= nowMs,
  );
}

interface Scene {
  readonly needs: Dependencies;
  readonly resource: Resource;
  readonly status: StoredStatus | null;
  /** The current maintenance. It is missing in the timeline until a later slot is recorded. */
  readonly maintenance: readonly MaintenanceSpan[];
  readonly nowMs: number;
  readonly span: TimeSpan;
  readonly buckets: readonly TimeSpan[];
}

async function measureRegion(scene: Scene, region: string) {
  const { needs, resource, status, buckets, span } = scene;
  const [timeline, summaries] = await Promise.all([
    readTimeline(scene, region),
    needs.stores.summaries.sumUp(resource.accountId, {
      id: resource.id,
      region,
      spans: buckets,
      summarisedUntilMs: status?.summarisedUntilMs ?? 0,
    }),
  ]);
  const merged = mergeSummaries(summaries);
  const isEmpty = [...Object.values(merged.counts), ...Object.values(merged.gaps)].every(
    (count) => count === 0,
  );
  const summary = isEmpty ? EMPTY_SUMMARY : merged;
  return { region, summaries, summary, time: measureStates(timeline, observable(scene, span)) };
}

interface TimeRequest {
  readonly status: StoredStatus | null;
  /** All entries of the account's calendar. */
  readonly windows: readonly CalendarEntry[];
  /** The spans in ascending order. */
  readonly spans: readonly TimeSpan[];
}

/** Returns only the time in each state. This is cheap enough for many resources. */
export async function measureStateTimes(
  needs: Dependencies,
  resource: Resource,
  { status, windows, spans }: TimeRequest,
): Promise<readonly TimeByState[]> {
  const nowMs = needs.clock.now();
  const span = { fromMs: spans[0]?.fromMs ?? nowMs, toMs: spans.at(-1)?.toMs ?? nowMs };
  const maintenance = begunMaintenance(windows, resource, nowMs);
  const scene: Scene = { needs, resource, status, maintenance, nowMs, span, buckets: spans };
  const timeline = await readTimeline(scene, null);
  return measureBuckets(
    timeline,
    spans.map((part) => observable(scene, part)),
  );
}

/**
 * Reads the stored timeline, and extends it to the present. The added part contains a current pause, an overdue slot
 * and current maintenance.
 */
async function readTimeline(
  { needs, resource, status, maintenance, nowMs, span }: Scene,
  region: string | null,
): Promise<Timeline> {
  const stored = await needs.stores.timeline.read(resource.accountId, {
    id: resource.id,
    region,
    ...span,
  });
  const pause = readPause(resource, nowMs);
  const open: ExcludedPeriod[] =
    pause.pausedAtMs === null
      ? []
      : [{ state: 'paused', fromMs: pause.pausedAtMs, toMs: Number.POSITIVE_INFINITY }];
  const nextMs = status?.nextSlotMs ?? null;
  const toleratedMs = Math.max(LATE_MS, resource.intervalSeconds * 1_000);
  const isOverdue = !pause.isPaused && nextMs !== null && nowMs > nextMs + toleratedMs;
  const blind = isOverdue ? [{ atMs: nextMs, health: 'unknown' as const }] : [];
  const lately = maintenance.map(
    ({ fromMs, toMs }): ExcludedPeriod => ({ state: 'maintenance', fromMs, toMs }),
  );
  return {
    changes: [...stored.changes, ...blind],
    excludedPeriods: [...stored.excludedPeriods, ...open, ...lately],
  };
}

/** Returns the part of a span in which the resource could be observed. */
function observable({ resource, nowMs }: Scene, { fromMs, toMs }: TimeSpan): TimeSpan {
  const from = Math.max(fromMs, resource.createdAtMs);
  return { fromMs: from, toMs: Math.max(from, Math.min(toMs, nowMs)) };
}
