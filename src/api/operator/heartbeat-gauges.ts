/** Heartbeats as Prometheus gauges. */
import type { Registry } from 'prom-client';
import type { MonitorMetrics } from '../../models/operations/metrics-source';
import { createGaugeMaker, type MakeGauge } from './gauge-maker';

const LABELS = ['account', 'monitor', 'name', 'group'] as const;

/** Registers the gauges. The returned function replaces all values; it ignores monitors that are not heartbeats. */
export function createHeartbeatGauges(
  registry: Registry,
): (monitors: readonly MonitorMetrics[]) => void {
  const gauges = createGauges(createGaugeMaker(registry));
  return (monitors) => {
    for (const gauge of Object.values(gauges)) gauge.reset();
    for (const monitor of monitors) show(gauges, monitor);
  };
}

function createGauges(gauge: MakeGauge) {
  return {
    lastPing: gauge(
      'keepwatch_heartbeat_last_ping_timestamp_seconds',
      'Unix time of the last ping of the job; absent before the first',
      LABELS,
    ),
    nextDue: gauge(
      'keepwatch_heartbeat_next_due_timestamp_seconds',
      'Unix time at which the next ping is due; absent while none is',
      LABELS,
    ),
    late: gauge(
      'keepwatch_heartbeat_late',
      '1 while a ping is late and within the grace, else 0',
      LABELS,
    ),
    running: gauge(
      'keepwatch_heartbeat_running',
      'Runs of the job that have begun and not ended',
      LABELS,
    ),
  };
}

function show(gauges: ReturnType<typeof createGauges>, monitor: MonitorMetrics): void {
  const { accountId: account, id, name, groupKey: group, heartbeat } = monitor;
  if (heartbeat === null) return;
  const labels = { account, monitor: id, name, group };
  const { lastPingAtMs, dueAtMs, isLate, running } = heartbeat;
  if (lastPingAtMs !== null) gauges.lastPing.set(labels, lastPingAtMs / 1_000);
  if (dueAtMs !== null) gauges.nextDue.set(labels, dueAtMs / 1_000);
  gauges.late.set(labels, isLate ? 1 : 0);
  gauges.running.set(labels, running.length);
}
