/** Converts uptime to the form that /v1 returns (docs/api.md), with rounded values. */

import { computeLatencies, type Summary } from '../../domain/health/summary';
import {
  computeAvailability,
  TIME_STATES,
  type TimeByState,
  type TimeState,
} from '../../domain/health/timeline';
import type { MeasuredResponse, UptimeResponse } from '../../schemas/responses/uptime';
import { toInstant } from '../lists/instants';
import type { Measured, ResourceUptime } from './resource-uptime';

const SHARES = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 } as const;

export function presentUptime(uptime: ResourceUptime): UptimeResponse {
  const { span, byRegion, buckets } = uptime;
  return {
    from: toInstant(span.fromMs),
    to: toInstant(span.toMs),
    ...presentMeasured(uptime),
    incidents: presentIncidents(uptime),
    byRegion: byRegion.map(({ region, ...measured }) => ({ region, ...presentMeasured(measured) })),
    buckets: buckets.map((bucket) => ({
      from: toInstant(bucket.span.fromMs),
      to: toInstant(bucket.span.toMs),
      ...presentMeasured(bucket),
    })),
  };
}

function presentMeasured({ time, summary }: Measured): MeasuredResponse {
  const { counts, gaps } = summary;
  const ok = counts.up + counts.degraded;
  const observed = ok + counts.down;
  return {
    availability: computeAvailability(time),
    successRatio: observed === 0 ? null : round(ok / observed, 6),
    seconds: sumSeconds(time),
    checks: {
      total: observed + counts.unknown,
      ok,
      failed: counts.down,
      unknown: counts.unknown,
      missed: gaps.missed + gaps.overrun,
    },
    responseTimeMs: presentLatency(summary),
  };
}

function sumSeconds(time: TimeByState): Record<TimeState, number> {
  const seconds = { up: 0, degraded: 0, down: 0, maintenance: 0, paused: 0, unknown: 0 };
  for (const state of TIME_STATES) seconds[state] = round(time[state] / 1000, 3);
  return seconds;
}

function presentLatency({ counts, latency }: Summary): MeasuredResponse['responseTimeMs'] {
  const { sum, min, max } = latency;
  const measured = counts.up + counts.degraded;
  const [p50, p75, p90, p95, p99] = computeLatencies({ latency }, Object.values(SHARES)).map(
    (value) => (value === null ? null : round(value, 2)),
  );
  return {
    avg: measured === 0 || min === null ? null : round(sum / measured, 2),
    min,
    max,
    p50: p50 ?? null,
    p75: p75 ?? null,
    p90: p90 ?? null,
    p95: p95 ?? null,
    p99: p99 ?? null,
  };
}

function presentIncidents({ outages }: ResourceUptime): UptimeResponse['incidents'] {
  const { downMs, longestMs, mttrMs } = outages;
  return {
    count: outages.incidents,
    outages: outages.outages,
    downSeconds: round(downMs / 1000, 3),
    longestSeconds: toSeconds(longestMs),
    mttrSeconds: toSeconds(mttrMs),
  };
}

export function toSeconds(ms: number | null): number | null {
  return ms === null ? null : round(ms / 1000, 3);
}

export function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}
