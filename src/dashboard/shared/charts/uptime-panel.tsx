/**
 * Shows the results of a monitor or scenario in a window or a zoomed span: figures, response times and findings. Also
 * shows the last 90 days.
 */
import { Group, Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { Uptime } from '../data/api-types';
import { useRead, useReads } from '../data/queries';
import { useSearchState } from '../data/search';
import { withQuery } from '../data/with-query';
import { Unread } from '../loading/unread';
import { percent, shortDay } from '../text/time';
import { useNowMs } from '../text/use-now';
import { Heading } from '../ui/heading';
import classes from './charts.module.css';
import type { Counted } from './counted';
import { DayBars } from './day-bars';
import { dayText, hasDowntime, stripText, toDays } from './days';
import { LastFindings, LastPhases, type LastProps, LastSteps } from './last-checks';
import type { RegionUptime } from './latency';
import { LatencyPanel } from './latency-panel';
import { RegionTable } from './region-table';
import { UptimeTiles } from './uptime-tiles';
import { UptimeWindows } from './uptime-windows';
import { useMarks } from './use-marks';
import { WeekHeatmap } from './week-heatmap';
import { chooseEveryMs, extendOutage, readShownWindow, uptimePath } from './windows';
import { buildSearch, type Span } from './zoom';

/**
 * How many days are shown. The window begins in the middle of a day and touches 91 days, so the oldest day is left out.
 */
const DAYS = 90;

function DayStrip({ uptime }: { readonly uptime: Uptime }) {
  const days = toDays(uptime.buckets).slice(-DAYS);
  const bad = days.filter(hasDowntime).toReversed();
  return (
    <Paper component="section" withBorder p="md" mb="md">
      <Group justify="space-between" mb="xs">
        <Heading size="h5">90 days</Heading>
        <Text size="sm">
          {uptime.availability === null ? 'No data yet' : `${percent(uptime.availability)} up`}
        </Text>
      </Group>
      <DayBars
        label={stripText(days)}
        bars={days.map((day) => ({
          from: day.from,
          tone: day.tone,
          text: `${shortDay(day.from)}: ${dayText(day)}`,
        }))}
      />
      <details className={classes['details']}>
        <summary>{stripText(days)}</summary>
        {bad.length === 0 ? (
          <Text size="sm">No downtime.</Text>
        ) : (
          <ul>
            {bad.map((day) => (
              <li key={day.from}>
                {shortDay(day.from)}: {dayText(day)}
              </li>
            ))}
          </ul>
        )}
      </details>
    </Paper>
  );
}

const MINUTE_MS = 60_000;
const TILES = [0, 1, 2, 3, 4];

interface UptimePanelProps {
  readonly kind: 'monitors' | 'scenarios';
  readonly id: string;
  /** True if the check sends requests. False for heartbeats. */
  readonly hasRequests: boolean;
  readonly regions: readonly string[];
  readonly createdAt: string;
  /** When the open outage began; null if the check is not down. */
  readonly downSince: string | null;
  readonly counted: Counted;
}

export function UptimePanel({
  kind,
  id,
  hasRequests,
  regions,
  createdAt,
  downSince,
  counted,
}: UptimePanelProps) {
  const nowMs = useNowMs();
  const path = `/v1/${kind}/${id}/uptime`;
  const [search, setSearch] = useSearchState();
  const { window, span } = readShownWindow(search, { createdAt, nowMs: Date.now() });
  // This read defines the end of the window. All other figures of the page end at the same time.
  const current = useRead<Uptime>(uptimePath(path, { window }), {
    refetchInterval: chooseEveryMs(window),
  });
  const to = current.data?.to;
  const zoomed = useRead<Uptime>(uptimePath(path, { window, span }), { enabled: span !== null });
  const { data, error } = span === null ? current : zoomed;
  const uptime = data && (span === null ? extendOutage(data, { downSince, nowMs }) : data);
  const { data: quarter } = useRead<Uptime>(uptimePath(path, { window: '90d', to }), {
    enabled: to !== undefined,
  });
  // The regions are read last, and only for the view by region.
  const wanted = uptime === undefined || search['chart'] !== 'regions' ? [] : regions;
  const lines = useLines(
    wanted.map((region) => [region, uptimePath(path, { window, span, to, region })]),
  );
  const zoom = (next: Span | null): void =>
    setSearch(next === null ? { from: undefined, to: undefined } : buildSearch(next));
  return (
    <>
      <UptimeWindows
        path={path}
        current={current}
        window={window}
        zoomed={span === null ? null : { span, reading: zoomed }}
        createdAt={createdAt}
        counted={counted}
        onChoose={(chosen) => setSearch({ window: chosen, from: undefined, to: undefined })}
      />
      <Unread of={{ data: uptime, error }} shape={<Waiting />} />
      {uptime !== undefined && (
        <>
          <UptimeTiles uptime={uptime} hasTimes={hasTimes(uptime, hasRequests)} />
          {hasTimes(uptime, hasRequests) && (
            <Response
              last={{ kind, id, ...wholeMinutes(uptime) }}
              hasRequests={hasRequests}
              uptime={uptime}
              counted={counted}
              lines={lines}
              hasRegions={regions.length > 0}
              isZoomed={span !== null}
              onZoom={zoom}
            />
          )}
          <RegionTable regions={uptime.byRegion} counted={counted} />
          {hasRequests && kind === 'monitors' && (
            <LastFindings kind={kind} id={id} {...wholeMinutes(uptime)} />
          )}
          <WeekHeatmap path={path} />
          {quarter !== undefined && <DayStrip uptime={quarter} />}
        </>
      )}
    </>
  );
}

/** True if there are response times. A heartbeat has them if its job reports its starts, too. */
function hasTimes({ responseTimeMs }: Uptime, hasRequests: boolean): boolean {
  return hasRequests || responseTimeMs.p50 !== null;
}

/** Placeholders for the tiles and the chart. */
function Waiting() {
  return (
    <>
      <SimpleGrid cols={{ base: 3, md: 5 }} spacing="sm" mb="md">
        {TILES.map((tile) => (
          <Skeleton key={tile} h={90} />
        ))}
      </SimpleGrid>
      <Skeleton h={416} mb="md" />
    </>
  );
}

interface ResponseProps {
  readonly last: LastProps;
  readonly hasRequests: boolean;
  readonly uptime: Uptime;
  readonly counted: Counted;
  readonly lines: readonly RegionUptime[];
  readonly hasRegions: boolean;
  readonly isZoomed: boolean;
  readonly onZoom: (span: Span | null) => void;
}

function Response({ last, hasRequests, ...panel }: ResponseProps) {
  const { kind, id, from, to } = last;
  const marks = useMarks(last);
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const before = buildSearch({ fromMs: fromMs - (toMs - fromMs), toMs: fromMs });
  const { data: earlier } = useRead<Uptime>(withQuery(`/v1/${kind}/${id}/uptime`, before));
  const isScenario = kind === 'scenarios';
  const content = isScenario ? <LastSteps {...last} /> : <LastPhases {...last} />;
  const parts = hasRequests ? { label: isScenario ? 'Steps' : 'Phases', content } : null;
  const title = hasRequests && !isScenario ? 'Response time' : 'Run duration';
  return <LatencyPanel {...panel} title={title} earlier={earlier} marks={marks} parts={parts} />;
}

/** Rounds the window to full minutes, so that the paths of its reads change only once a minute. */
function wholeMinutes({ from, to }: Uptime): Pick<Uptime, 'from' | 'to'> {
  const fromMs = Math.floor(Date.parse(from) / MINUTE_MS) * MINUTE_MS;
  return buildSearch({ fromMs, toMs: Math.ceil(Date.parse(to) / MINUTE_MS) * MINUTE_MS });
}

/** Returns the lines of the regions. A line is empty until its data is read. */
function useLines(wanted: readonly (readonly [string, string])[]): readonly RegionUptime[] {
  const found = useReads<Uptime>(wanted.map(([, path]) => path));
  return wanted.map(([region], index) => ({
    region,
    buckets: found[index]?.data?.buckets ?? [],
  }));
}
