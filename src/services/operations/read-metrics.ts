/**
 * Reads the current state of the service and its monitors over all accounts, for Prometheus. The number of series is
 * limited.
 */

import { ORCHESTRATOR_QUEUE, probeQueue, watchQueue } from '../../contracts/workflows';
import { findReachedThreshold } from '../../domain/alerting/certificate-warnings';
import { computeOverdueMs } from '../../domain/health/watches';
import type { AlertStore } from '../../models/alerting/alerts';
import type {
  MonitorMetrics,
  ScenarioMetrics,
  ServiceCounts,
} from '../../models/operations/metrics-source';
import type { WatchTotals } from '../../models/watches/watches';
import type { WatchdogFacts } from '../../schemas/responses/operator';
import type { RegionResponse } from '../../schemas/responses/regions';
import type { Dependencies } from '../ports/dependencies';
import type { QueueBacklog, StuckWorkflow, WorkflowGateway } from '../ports/gateway';
import { listRegions } from '../regions/regions';
import { describeWatchdog } from './watchdog/describe-watchdog';

/** Maximum number of monitors with their own series. Further monitors are only counted. */
const MONITORS_MAX = 5_000;
const SCENARIOS_MAX = 1_000;

const TEMPORAL_DEADLINE_MS = 1_500;

export interface WarnedScenario extends ScenarioMetrics {
  /** The warning threshold that was reached, in days before the expiry. null if none was reached. */
  readonly tlsWarning: number | null;
}

/** The counts of watches (activities that repeat steady checks) in one region. */
export interface WatchCounts extends WatchTotals {
  /** The number of watches whose monitor is not paused. */
  readonly held: number;
  /** The number of open watches with an overdue slot. */
  readonly overdue: number;
}

export interface MetricsSnapshot {
  readonly monitors: readonly MonitorMetrics[];
  readonly scenarios: readonly WarnedScenario[];
  /** True if some monitors or scenarios have no series because the number of series is limited. */
  readonly isTruncated: boolean;
  readonly counts: ServiceCounts;
  /** How long ago the most overdue slot was due. */
  readonly slotLagMs: number;
  readonly regions: readonly RegionResponse[];
  readonly watches: readonly WatchCounts[];
  readonly deliveries: Awaited<ReturnType<AlertStore['countByStatus']>>;
  /** The number of measurements that could not be stored. */
  readonly refusedRecords: number;
  /** The queues. Empty while Temporal does not respond. */
  readonly backlogs: readonly QueueBacklog[];
  /** The stuck workflows. Empty while Temporal does not respond. */
  readonly stuck: readonly StuckWorkflow[];
  /** The state of the watchdog. null if no watchdog is set. */
  readonly watchdog: WatchdogFacts | null;
}

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'configuredRegions' | 'watchdog'> & {
  readonly gateway: Pick<WorkflowGateway, 'readBacklogs' | 'listStuck'>;
};

export async function readMetrics(needs: Needs): Promise<MetricsSnapshot> {
  const nowMs = needs.clock.now();
  const [monitorMetrics, scenarioMetrics, counts, regions, deliveries, refusedRecords, totals] =
    await Promise.all([
      needs.stores.metrics.listMonitors(MONITORS_MAX + 1),
      needs.stores.metrics.listScenarios(SCENARIOS_MAX + 1),
      needs.stores.metrics.count(),
      listRegions(needs),
      needs.stores.alerts.countByStatus(),
      needs.stores.refusedRecords.count(),
      needs.stores.watches.readTotals(),
    ]);
  const queues = [
    ORCHESTRATOR_QUEUE,
    ...regions.flatMap(({ id }) => [probeQueue(id), watchQueue(id)]),
  ];
  const { gateway } = needs;
  const [backlogs, stuck, watchdog] = await Promise.all([
    gateway.readBacklogs(queues, TEMPORAL_DEADLINE_MS).catch((): readonly QueueBacklog[] => []),
    gateway.listStuck(TEMPORAL_DEADLINE_MS).catch((): readonly StuckWorkflow[] => []),
    describeWatchdog(needs),
  ]);
  const isTruncated =
    monitorMetrics.length > MONITORS_MAX || scenarioMetrics.length > SCENARIOS_MAX;
  const monitors = monitorMetrics.slice(0, MONITORS_MAX);
  const scenarios = scenarioMetrics.slice(0, SCENARIOS_MAX).map((scenario) => ({
    ...scenario,
    tlsWarning: findReachedThreshold(scenario.tlsRungs, nowMs),
  }));
  const dueMs = monitors.flatMap(({ isPaused, nextSlotMs }) =>
    isPaused || nextSlotMs === null ? [] : [nextSlotMs],
  );
  const slotLagMs = Math.max(0, nowMs - Math.min(nowMs, ...dueMs));
  const watches = countWatches(monitors, totals, nowMs);
  const known = { counts, regions, deliveries, refusedRecords, watches, watchdog };
  return { ...known, monitors, scenarios, isTruncated, slotLagMs, backlogs, stuck };
}

function countWatches(
  monitors: readonly MonitorMetrics[],
  totals: readonly WatchTotals[],
  nowMs: number,
): readonly WatchCounts[] {
  const none = { handedOver: 0, returned: 0, held: 0, overdue: 0 };
  const byRegion = new Map(totals.map((known) => [known.region, { ...none, ...known }]));
  for (const { isPaused, isWatched, measured, intervalMs } of monitors) {
    if (isPaused || isWatched !== true) continue;
    for (const { region, slotMs } of measured) {
      const known = byRegion.get(region) ?? { ...none, region };
      const isOverdue = slotMs !== undefined && computeOverdueMs(slotMs, intervalMs, nowMs) > 0;
      byRegion.set(region, {
        ...known,
        held: known.held + 1,
        overdue: known.overdue + (isOverdue ? 1 : 0),
      });
    }
  }
  return [...byRegion.values()];
}
