/**
 * The snapshot as Prometheus gauges: `probe_*` as blackbox_exporter names them, `keepwatch_*` for the
 * service. Labels are ids, names, groups, tags and regions; never an address or a value of a check.
 */
import { Gauge, type Registry } from 'prom-client';
import type { MonitorMetrics, ResourceMetrics } from '../../models/operations/metrics-source';
import type { MetricsSnapshot } from '../../services/operations/read-metrics';
import { createHeartbeatGauges } from './heartbeat-gauges';
import { createScenarioGauges } from './scenario-gauges';

const TAG_SERIES_MAX = 20_000;
/** Six series per region; writing them holds up the process, some 50 ms per thousand monitors. */
const DETAILED_MONITORS_MAX = 1_000;

const PHASES = {
  resolve: 'dnsMs',
  connect: 'connectMs',
  tls: 'tlsMs',
  processing: 'ttfbMs',
  transfer: 'downloadMs',
} as const;

const MONITOR_LABELS = ['account', 'monitor', 'name', 'group', 'region'] as const;

interface Gauges {
  readonly success: Gauge<(typeof MONITOR_LABELS)[number]>;
  readonly duration: Gauge<(typeof MONITOR_LABELS)[number]>;
  readonly phase: Gauge<(typeof MONITOR_LABELS)[number] | 'phase'>;
  readonly statusCode: Gauge<(typeof MONITOR_LABELS)[number]>;
  readonly tag: Gauge<'account' | 'resource' | 'tag'>;
  readonly certificate: Gauge<'account' | 'monitor' | 'name' | 'group'>;
  readonly paused: Gauge<'account' | 'monitor' | 'name' | 'group'>;
  readonly byHealth: Gauge<'health'>;
  readonly incidents: Gauge;
  readonly slotLag: Gauge;
  readonly checked: Gauge<'path'>;
  readonly truncated: Gauge;
  readonly deliveries: Gauge<'status'>;
  readonly refused: Gauge;
  readonly stuck: Gauge<'workflow_type' | 'cause'>;
  readonly workers: Gauge<'region'>;
  readonly backlog: Gauge<'queue'>;
  readonly backlogAge: Gauge<'queue'>;
}

export type ShowSnapshot = (snapshot: MetricsSnapshot) => void;

/** Registers the gauges; each snapshot replaces what the one before said. */
export function createSnapshotGauges(registry: Registry): ShowSnapshot {
  const gauges = createGauges(registry);
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

function createGauges(registry: Registry): Gauges {
  const registers = [registry];
  return { ...monitorGauges(registers), ...serviceGauges(registers), ...faultGauges(registers) };
}

function monitorGauges(registers: Registry[]) {
  const monitorOnly = ['account', 'monitor', 'name', 'group'] as const;
  return {
    success: new Gauge({
      name: 'probe_success',
      help: '1 when the last check of the region passed; absent when it is not known',
      labelNames: MONITOR_LABELS,
      registers,
    }),
    duration: new Gauge({
      name: 'probe_duration_seconds',
      help: 'Response time of the last check of the region',
      labelNames: MONITOR_LABELS,
      registers,
    }),
    phase: new Gauge({
      name: 'probe_http_duration_seconds',
      help: 'Phases of the last request of the region: resolve, connect, tls, processing, transfer',
      labelNames: [...MONITOR_LABELS, 'phase'] as const,
      registers,
    }),
    statusCode: new Gauge({
      name: 'probe_http_status_code',
      help: 'Status of the last response of the region; 0 when none came',
      labelNames: MONITOR_LABELS,
      registers,
    }),
    tag: new Gauge({
      name: 'keepwatch_resource_tag',
      help: '1 for each tag of a monitor or scenario, to join on its id',
      labelNames: ['account', 'resource', 'tag'] as const,
      registers,
    }),
    certificate: new Gauge({
      name: 'probe_ssl_earliest_cert_expiry',
      help: 'Unix time at which the certificate expires',
      labelNames: monitorOnly,
      registers,
    }),
    paused: new Gauge({
      name: 'keepwatch_monitor_paused',
      help: '1 for a paused monitor, else absent',
      labelNames: monitorOnly,
      registers,
    }),
  };
}

/** Each is a fault of ours when it is not 0. */
function faultGauges(registers: Registry[]) {
  return {
    refused: new Gauge({
      name: 'keepwatch_refused_records',
      help: 'Records of checks and runs that the database has refused for a day, kept for thirty days',
      registers,
    }),
    stuck: new Gauge({
      name: 'keepwatch_stuck_workflows',
      help: 'Workflows that stand still because their task fails again and again; absent when there are none',
      labelNames: ['workflow_type', 'cause'],
      registers,
    }),
  };
}

function serviceGauges(registers: Registry[]) {
  return {
    byHealth: new Gauge({
      name: 'keepwatch_resources',
      help: 'Monitors and scenarios by health',
      labelNames: ['health'],
      registers,
    }),
    incidents: new Gauge({ name: 'keepwatch_open_incidents', help: 'Open incidents', registers }),
    slotLag: new Gauge({
      name: 'keepwatch_slot_lag_seconds',
      help: 'How long the most overdue slot has been due without a result',
      registers,
    }),
    checked: new Gauge({
      name: 'keepwatch_monitors_checked',
      help: 'Monitors that are not paused, by the path of their last check: quiet or full',
      labelNames: ['path'],
      registers,
    }),
    truncated: new Gauge({
      name: 'keepwatch_metrics_truncated',
      help: '1 when there are more monitors, scenarios or tags than get series of their own',
      registers,
    }),
    deliveries: new Gauge({
      name: 'keepwatch_deliveries',
      help: 'Alerts at their places by status, of all that are kept',
      labelNames: ['status'],
      registers,
    }),
    workers: new Gauge({
      name: 'keepwatch_region_workers',
      help: 'Probes that said hello lately',
      labelNames: ['region'],
      registers,
    }),
    backlog: new Gauge({
      name: 'keepwatch_queue_backlog',
      help: 'Tasks that wait for a worker',
      labelNames: ['queue'],
      registers,
    }),
    backlogAge: new Gauge({
      name: 'keepwatch_queue_lag_seconds',
      help: 'Age of the oldest task that waits for a worker',
      labelNames: ['queue'],
      registers,
    }),
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

/** What the last request of each region came to; nothing where it is not known, or where none is sent. */
function showRequests({ phase: phases, statusCode }: Gauges, monitor: MonitorMetrics): void {
  const { accountId: account, id, name, groupKey: group, regionsHealth, heartbeat } = monitor;
  if (heartbeat !== null) return;
  for (const measured of monitor.measured) {
    const { region } = measured;
    const known = regionsHealth.find((given) => given.region === region);
    if (known === undefined || known.health === 'unknown') continue;
    const at = { account, monitor: id, name, group, region };
    statusCode.set(at, measured.statusCode ?? 0);
    for (const [phase, field] of Object.entries(PHASES)) {
      const ms = measured[field];
      if (ms !== null) phases.set({ ...at, phase }, ms / 1000);
    }
  }
}

function tagsOf(resources: readonly ResourceMetrics[]) {
  return resources.flatMap(({ accountId: account, id: resource, tags }) =>
    tags.map((tag) => ({ account, resource, tag })),
  );
}

function showTags({ tag, truncated }: Gauges, resources: readonly ResourceMetrics[]): void {
  const all = tagsOf(resources);
  for (const labels of all.slice(0, TAG_SERIES_MAX)) tag.set(labels, 1);
  if (all.length > TAG_SERIES_MAX) truncated.set(1);
}

function showService(gauges: Gauges, snapshot: MetricsSnapshot): void {
  const { counts, regions, backlogs, isTruncated, slotLagMs } = snapshot;
  for (const { health, count } of counts.byHealth) gauges.byHealth.set({ health }, count);
  gauges.incidents.set(counts.openIncidents);
  gauges.slotLag.set(slotLagMs / 1000);
  const active = snapshot.monitors.filter(({ isPaused }) => !isPaused);
  for (const [path, isQuiet] of Object.entries({ quiet: true, full: false }))
    gauges.checked.set({ path }, active.filter((monitor) => monitor.isQuiet === isQuiet).length);
  gauges.refused.set(snapshot.refusedRecords);
  for (const { workflowType, cause } of snapshot.stuck)
    gauges.stuck.inc({ workflow_type: workflowType, cause });
  gauges.truncated.set(isTruncated ? 1 : 0);
  for (const { status, count } of snapshot.deliveries) gauges.deliveries.set({ status }, count);
  for (const { id: region, workers } of regions) gauges.workers.set({ region }, workers);
  for (const { queue, tasks, oldestMs } of backlogs) {
    gauges.backlog.set({ queue }, tasks);
    gauges.backlogAge.set({ queue }, oldestMs / 1000);
  }
}
