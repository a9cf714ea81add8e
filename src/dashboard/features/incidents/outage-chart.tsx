/** Response times or run durations around an incident, by region, with the outages shaded. */

import { Group, Paper, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { countWords } from '../../shared/charts/counted';
import { latencyRows, listShades, tableRows } from '../../shared/charts/latency';
import { ChartLegend } from '../../shared/charts/mark-list';
import { buildSearch } from '../../shared/charts/zoom';
import { withQuery } from '../../shared/data/api';
import type { Incident, Uptime } from '../../shared/data/api-types';
import { useRead, useReads } from '../../shared/data/queries';
import { loadWhenReached } from '../../shared/loading/load-when-reached';
import { Unread } from '../../shared/loading/unread';
import { formatDuration } from '../../shared/text/time';
import { Heading } from '../../shared/ui/heading';
import { Loading } from '../../shared/ui/loading';
import { TEXT } from './strings';

const LatencyLines = lazy(
  loadWhenReached(async () => ({
    default: (await import('../../shared/charts/latency-lines')).LatencyLines,
  })),
);

const MINUTE_MS = 60_000;
/** Minimum time shown before and after the incident. */
const AROUND_MS = 15 * MINUTE_MS;
/** For a period of at least this length, the service returns hourly figures, which it keeps for longer. */
const HOURLY_MS = 7 * 24 * 60 * MINUTE_MS;

export function OutageChart({ incident }: { readonly incident: Incident }) {
  const { resourceType, resourceId } = incident;
  const isScenario = resourceType === 'scenario';
  const what = isScenario ? 'Run duration' : 'Response time';
  const path = `/v1/${resourceType}s/${resourceId}/uptime`;
  const near = spanAround(incident, AROUND_MS);
  const { data: uptime, error } = useRead<Uptime>(withQuery(path, buildSearch(near)));
  const isKept = uptime?.byRegion.some(({ checks }) => checks.total > 0) !== false;
  const span = isKept ? near : spanAround(incident, HOURLY_MS / 2);
  const regions = (uptime?.byRegion ?? []).map(({ region }) => region);
  const found = useReads<Uptime>(
    regions.map((region) => withQuery(path, { ...buildSearch(span), region })),
  );
  // Nothing is shown for a deleted check, because it has no response times.
  if (error?.status === 404) return null;
  const lines = regions.map((region, index) => ({
    region,
    buckets: found[index]?.data?.buckets ?? [],
  }));
  const rows = latencyRows(lines, 'p95');
  const hasLine = tableRows(rows).length > 0;
  const shades = listShades(uptime?.buckets ?? []);
  return (
    <Paper component="section" withBorder p="md">
      <Heading mb="sm">
        {hasLine || !isKept ? `${what}${regions.length > 1 ? ' by region' : ''}` : 'By region'}
      </Heading>
      <Unread of={{ data: uptime, error }} />
      {uptime !== undefined && (
        <>
          {hasLine && (
            <>
              <figure
                style={{ margin: 0, minHeight: 280 }}
                aria-label={`Chart of p95 of the ${what.toLowerCase()} by region, with the time down shaded. The figures of each region follow as text.`}
              >
                <Suspense fallback={<Loading />}>
                  <LatencyLines regions={regions} rows={rows} shades={shades} {...span} />
                </Suspense>
              </figure>
              {/* Left out while the incident is open, because two counters of the downtime could differ. */}
              {incident.closedAt !== null && (
                <ChartLegend shades={shades} downSeconds={uptime.incidents.downSeconds} />
              )}
            </>
          )}
          {!isKept && (
            <Text size="sm" c="dimmed">
              {hasLine ? TEXT.hourly : TEXT.notKept}
            </Text>
          )}
          <Group component="ul" gap="md" m={0} p={0} mt="xs">
            {listRegions(uptime).map(({ region, seconds, checks }) => (
              <Text component="li" size="sm" key={region} style={{ listStyle: 'none' }}>
                <b>{region}</b>: {downWords(seconds.down, incident.closedAt !== null)}
                {checks.total > 0 &&
                  `, ${countWords(checks.failed, isScenario ? 'failed run' : 'failed check')}`}
              </Text>
            ))}
          </Group>
        </>
      )}
    </Paper>
  );
}

/**
 * Returns no regions if all were down for the same time and no check is stored. The list would then repeat the
 * incident.
 */
function listRegions({ byRegion }: Uptime): Uptime['byRegion'] {
  const [first] = byRegion;
  const isEqual = byRegion.every(
    ({ seconds, checks }) => seconds.down === first?.seconds.down && checks.total === 0,
  );
  return isEqual ? [] : byRegion;
}

function downWords(seconds: number, isOver: boolean): string {
  if (seconds === 0) return 'not down';
  return isOver ? `down ${formatDuration(seconds)}` : 'down';
}

/**
 * Returns the period to show, with at least `minAroundMs` before and after the incident. The period is rounded to full
 * minutes, so that the path changes at most once a minute while the incident is open.
 */
function spanAround({ openedAt, closedAt }: Incident, minAroundMs: number) {
  const openedMs = Date.parse(openedAt);
  const endMs = closedAt === null ? Date.now() : Date.parse(closedAt);
  const around = Math.max(minAroundMs, (endMs - openedMs) / 4);
  const floor = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;
  const toMs = Math.min(endMs + around, Date.now());
  return { fromMs: floor(openedMs - around), toMs: floor(toMs) + MINUTE_MS };
}
