/**
 * The snapshot as Prometheus gauges: `probe_*` with the names of blackbox_exporter, and `keepwatch_*`. Labels never
 * contain a URL or a measured value.
 */
import type { Registry } from 'prom-client';
import { PHASE_FIELDS, type PhaseField } from '../../contracts/outcome';
import type { MonitorMetrics, ResourceMetrics } from '../../models/operations/metrics-source';
import type { MetricsSnapshot } from '../../services/operations/read-metrics';
import { createGaugeMaker, type MakeGauge } from './gauge-maker';
import { createHeartbeatGauges } from './heartbeat-gauges';
import { createScenarioGauges } from './scenario-gauges';

const TAG_SERIES_MAX = 20_000;
/**
 * Above this number of monitors, further monitors get no series about their requests. Rendering blocks the event loop
 * for about 50 ms per thousand monitors.
 */
const DETAILED_MONITORS_MAX = 1_000;

/** The names of the phases in blackbox_exporter. */
const PHASE_LABELS: Readonly<Record<PhaseField, string>> = {
  dnsMs: 'resolve',
  connectMs: 'connect',
  tlsMs: 'tls',
  ttfbMs: 'processing',
  downloadMs: 'transfer',
};

const MONITOR_LABELS = ['account', 'monitor', 'name', 'group', 'region'] as const;

type Gauges = ReturnType<typeof createGauges>;

export type ShowSnapshot = (snapshot: MetricsSnapshot) => void;

/** Registers the gauges; each snapshot replaces all previous values. */
export function createSnapshotGauges(registry: Registry): ShowSnapshot {
  const gauges = createGauges(createGaugeMaker(registry));
  const showScenarios = createScenarioGauges(registry);
  const showHeartbeats = createHeartbeatGauges(registry);
  return (snapshot) => {
    for (const gauge of Object.values(gauges)) gauge.reset();
    for (const monitor of snapshot.monitors) showMonitor(gauges, monitor);
    for (const monitor of snapshot.monitors.slice(0, DETAILED_MONITORS_MAX))
      showRequests(gauges, monitor);
    showScenarios(snapshot.scenarios);
    showHeartbeats(snapshot.monitors);
    showService(gauges, snapshot);
    showTags(gauges, [...snapshot.monitors, ...snapshot.scenarios]);
  };
}

function createGauges(gauge: MakeGauge) {
  return {
    ...monitorGauges(gauge),
    ...serviceGauges(gauge),
    ...watchGauges(gauge),
    ...faultGauges(gauge),
  };
}

function monitorGauges(gauge: MakeGauge) {
  const monitorOnly = ['account', 'monitor', 'name', 'group'] as const;
  return {
    success: gauge(
      'probe_success',
      '1 when the last check of the region passed; absent when it is not known',
      MONITOR_LABELS,
    ),
    duration: gauge(
      'probe_duration_seconds',
      'Response time of the last check of the region',
      MONITOR_LABELS,
    ),
    phase: gauge(
      'probe_http_duration_seconds',
      `Phases of the last request of the region: ${Object.values(PHASE_LABELS).join(', ')}`,
      [...MONITOR_LABELS, 'phase'] as const,
    ),
    statusCode: gauge(
      'probe_http_status_code',
      'Status of the last response of the region; 0 when none came',
      MONITOR_LABELS,
    ),
    tag: gauge(
      'keepwatch_resource_tag',
      '1 for each tag of a monitor or scenario, to join on its id',
      ['account', 'resource', 'tag'] as const,
    ),
    certificate: gauge(
      'probe_ssl_earliest_cert_expiry',
      'Unix time at which the certificate expires',
      monitorOnly,
    ),
    paused: gauge('keepwatch_monitor_paused', '1 for a paused monitor, else absent', monitorOnly),
  };
}

/** Gauges of faults: a value other than 0 means a fault of the service. */
function faultGauges(gauge: MakeGauge) {
  return {
    refused: gauge(
      'keepwatch_refused_records',
      'Records of checks and runs that the database has refused for a day, kept for thirty days',
    ),
    stuck: gauge(
      'keepwatch_stuck_workflows',
      'Workflows that stand still because their task fails again and again; absent when there are none',
      ['workflow_type', 'cause'],
    ),
    watchdog: gauge(
      'keepwatch_watchdog_healthy',
      '1 when the last canary came through and the receiver has it, else 0; absent without a watchdog',
    ),
    watchdogPing: gauge(
      'keepwatch_watchdog_last_ping_timestamp_seconds',
      'Unix time of the last ping that the receiver of the watchdog took; absent before the first',
    ),
  };
}

/** Creates gauges of totals. Totals come from the database, so they survive process restarts. */
function watchGauges(gauge: MakeGauge) {
  return {
    watches: gauge('keepwatch_watches', 'Watches of monitors whose last check was made by one', [
      'region',
    ]),
    overdueWatches: gauge(
      'keepwatch_watches_overdue',
      'Those whose next slot is overdue by more than an interval and 30 seconds',
      ['region'],
    ),
    handedOver: gauge(
      'keepwatch_watches_handed_over',
      'Watches that were taken from lost probes since there are records',
      ['region'],
    ),
    returned: gauge(
      'keepwatch_watches_returned',
      'Overdue watches that went back to their workflows since there are records',
      ['region'],
    ),
  };
}

function serviceGauges(gauge: MakeGauge) {
  return {
    byHealth: gauge('keepwatch_resources', 'Monitors and scenarios by health', ['health']),
    incidents: gauge('keepwatch_open_incidents', 'Open incidents'),
    slotLag: gauge(
      'keepwatch_slot_lag_seconds',
      'How long the most overdue slot has been due without a result',
    ),
    checked: gauge(
      'keepwatch_monitors_checked',
      'Monitors that are not paused, by the path of their last check: watch or full',
      ['path'],
    ),
    truncated: gauge(
      'keepwatch_metrics_truncated',
      '1 when there are more monitors, scenarios or tags than get series of their own',
    ),
    deliveries: gauge(
      'keepwatch_deliveries',
      'Alerts by recipient and status, of all that are kept',
      ['status'],
    ),
    workers: gauge('keepwatch_region_workers', 'Probes that said hello lately', ['region']),
    backlog: gauge('keepwatch_queue_backlog', 'Tasks that wait for a worker', ['queue']),
    backlogAge: gauge(
      'keepwatch_queue_lag_seconds',
      'Age of the oldest task that waits for a worker',
      ['queue'],
    ),
  };
}

function showMonitor(gauges: Gauges, monitor: MonitorMetrics): void {
  const { accountId: account, id, name, groupKey: group, isPaused } = monitor;
  const labels = { account, monitor: id, name, group };
  if (isPaused) gauges.paused.set(labels, 1);
  if (monitor.tlsExpiresAt !== null)
    gauges.certificate.set(labels, Math.floor(Date.parse(monitor.tlsExpiresAt) / 1000));
  for (const { region, health, lastResponseTimeMs } of monitor.regionsHealth) {
    const at = { ...labels, region };
    if (health === 'up' || health === 'degraded') gauges.success.set(at, 1);
    if (health === 'down') gauges.success.set(at, 0);
    if (lastResponseTimeMs !== null) gauges.duration.set(at, lastResponseTimeMs / 1000);
  }
}

/** Shows the last request of each region, if its outcome is known. */
function showRequests({ phase: phases, statusCode }: Gauges, monitor: MonitorMetrics): void {
  const { accountId: account, id, name, groupKey: group, regionsHealth, heartbeat } = monitor;
  if (heartbeat !== null) return;
  for (const measured of monitor.measured) {
    const { region } = measured;
    const known = regionsHealth.find((given) => given.region === region);
    if (known === undefined || known.health === 'unknown') continue;
    const at = { account, monitor: id, name, group, region };
    statusCode.set(at, measured.statusCode ?? 0);
    for (const field of PHASE_FIELDS) {
      const ms = measured[field] ?? null;
      if (ms !== null) phases.set({ ...at, phase: PHASE_LABELS[field] }, ms / 1000);
    }
  }
}

function listTags(resources: readonly ResourceMetrics[]) {
  return resources.flatMap(({ accountId: account, id: resource, tags }) =>
    tags.map((tag) => ({ account, resource, tag })),
  );
}

function showTags({ tag, truncated }: Gauges, resources: readonly ResourceMetrics[]): void {
  const all = listTags(resources);
  for (const labels of all.slice(0, TAG_SERIES_MAX)) tag.set(labels, 1);
  if (all.length > TAG_SERIES_MAX) truncated.set(1);
}

function showWatchdog(gauges: Gauges, { watchdog }: MetricsSnapshot): void {
  // Removes the series. Otherwise, a gauge without labels would show 0.
  gauges.watchdog.remove();
  gauges.watchdogPing.remove();
  if (watchdog === null) return;
  gauges.watchdog.set(watchdog.state === 'healthy' ? 1 : 0);
  if (watchdog.lastPingAt !== null)
    gauges.watchdogPing.set(Date.parse(watchdog.lastPingAt) / 1_000);
}

function showService(gauges: Gauges, snapshot: MetricsSnapshot): void {
  const { counts, regions, backlogs, isTruncated, slotLagMs } = snapshot;
  for (const { health, count } of counts.byHealth) gauges.byHealth.set({ health }, count);
  gauges.incidents.set(counts.openIncidents);
  gauges.slotLag.set(slotLagMs / 1000);
  const active = snapshot.monitors.filter(({ isPaused }) => !isPaused);
  for (const [path, isWatched] of Object.entries({ watch: true, full: false }))
    gauges.checked.set(
      { path },
      active.filter((monitor) => monitor.isWatched === isWatched).length,
    );
  showWatchdog(gauges, snapshot);
  gauges.refused.set(snapshot.refusedRecords);
  for (const { workflowType, cause } of snapshot.stuck)
    gauges.stuck.inc({ workflow_type: workflowType, cause });
  gauges.truncated.set(isTruncated ? 1 : 0);
  for (const { status, count } of snapshot.deliveries) gauges.deliveries.set({ status }, count);
  for (const { id: region, workers } of regions) gauges.workers.set({ region }, workers);
  for (const { region, held, overdue, handedOver, returned } of snapshot.watches) {
    gauges.watches.set({ region }, held);
    gauges.overdueWatches.set({ region }, overdue);
    gauges.handedOver.set({ region }, handedOver);
    gauges.returned.set({ region }, returned);
  }
  for (const { queue, tasks, oldestMs } of backlogs) {
    gauges.backlog.set({ queue }, tasks);
    gauges.backlogAge.set({ queue }, oldestMs / 1000);
  }
}
