/** How a monitor or scenario did over a window: figures, response times by region, 90 days. */
import { SegmentedControl, Skeleton } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import type { Uptime } from '../data/api-types';
import { useRead, useReads } from '../data/queries';
import { useSearchState } from '../data/search';
import { ProblemNote } from '../ui/problem-note';
import { DayStrip } from './day-strip';
import type { RegionUptime } from './latency';
import { LatencyPanel } from './latency-panel';
import { RegionTable } from './region-table';
import { UptimeTiles } from './uptime-tiles';
import { UptimeWindows } from './uptime-windows';
import { WeekHeatmap } from './week-heatmap';
import { uptimePath, WINDOW_WORDS, WINDOWS, windowOf } from './windows';

const TICK_MS = 60_000;

interface UptimePanelProps {
  /** Where the uptime is: `/v1/monitors/ID/uptime`. */
  readonly path: string;
  readonly regions: readonly string[];
  readonly createdAt: string;
  /** The word for what is counted. */
  readonly counted: 'checks' | 'runs';
}

export function UptimePanel({ path, regions, createdAt, counted }: UptimePanelProps) {
  const [search, setSearch] = useSearchState();
  const [nowMs, setNowMs] = useState(() => Date.now());
  useInterval(() => setNowMs(Date.now()), TICK_MS, { autoInvoke: true });
  const window = windowOf(search['window'], { ms: nowMs - Date.parse(createdAt) });
  const { data: uptime, error } = useRead<Uptime>(uptimePath(path, { window, nowMs }));
  const { data: quarter } = useRead<Uptime>(`${path}?window=90d`);
  const lines = useLines(
    regions.map((region) => [region, uptimePath(path, { window, region, nowMs })]),
  );
  return (
    <>
      <UptimeWindows path={path} createdAt={createdAt} counted={counted} />
      <SegmentedControl
        mb="md"
        aria-label="Window"
        data={WINDOWS.map((value) => ({ value, label: WINDOW_WORDS[value] }))}
        value={window}
        onChange={(chosen) => setSearch({ window: chosen })}
      />
      {error !== null && <ProblemNote problem={error} />}
      {uptime === undefined && error === null && <Skeleton h={440} mb="md" />}
      {uptime !== undefined && (
        <>
          <UptimeTiles uptime={uptime} />
          <LatencyPanel uptime={uptime} lines={lines} />
          <RegionTable regions={uptime.byRegion} />
        </>
      )}
      <WeekHeatmap path={path} />
      {quarter !== undefined && <DayStrip uptime={quarter} />}
    </>
  );
}

/** Lines of what has been read so far. */
function useLines(wanted: readonly (readonly [string, string])[]): readonly RegionUptime[] {
  const found = useReads<Uptime>(wanted.map(([, path]) => path));
  return wanted.map(([region], index) => ({
    region,
    buckets: found[index]?.data?.buckets ?? [],
  }));
}
