/**
 * Response times of a window as percentiles, lines by region, or phases of the last checks. Each view is also available
 * as a table.
 */
import { Group, Paper, SegmentedControl, Table, Text } from '@mantine/core';
import { lazyRouteComponent } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Uptime } from '../data/api-types';
import { useSearchState } from '../data/search';
import { loadWhenReached } from '../loading/load-when-reached';
import { absolute, milliseconds } from '../text/time';
import { Heading } from '../ui/heading';
import { Loading } from '../ui/loading';
import { ScrollBox } from '../ui/scroll-box';
import { TableHead } from '../ui/table-head';
import {
  BAND_COLUMNS,
  type BandRow,
  bandRows,
  bandTable,
  listLines,
  type Mark,
  maintenanceMarks,
  marksWithin,
} from './band';
import classes from './charts.module.css';
import type { Counted } from './counted';
import {
  emptyWords,
  type LatencyRow,
  latencyRows,
  listShades,
  type RegionUptime,
  readStat,
  type Shade,
  STATS,
  type Stat,
  tableRows,
} from './latency';
import { ChartLegend, MarkList } from './mark-list';
import type { Span } from './zoom';
import { ZoomButtons } from './zoom-buttons';

const LatencyLines = lazy(
  loadWhenReached(async () => ({ default: (await import('./latency-lines')).LatencyLines })),
);
/** Loaded while the figures are read, because the chunk is large. A loaded chart renders without a fallback. */
const LatencyBand = lazyRouteComponent(
  loadWhenReached(() => import('./latency-band')),
  'LatencyBand',
);
void LatencyBand.preload?.();

interface LatencyPanelProps {
  readonly title: string;
  /** The uptime of all regions together. It provides the shaded spans of the chart. */
  readonly uptime: Uptime;
  readonly counted: Counted;
  /** The uptime of the previous window. undefined until it has been read. */
  readonly earlier: Uptime | undefined;
  /** The lines of the regions. Empty until the user chooses the view by region. */
  readonly lines: readonly RegionUptime[];
  readonly hasRegions: boolean;
  readonly marks: readonly Mark[];
  readonly onZoom: (span: Span | null) => void;
  readonly isZoomed: boolean;
  /** The third view of the panel. null if the check has no phases or steps. */
  readonly parts: { readonly label: string; readonly content: ReactNode } | null;
}

export function LatencyPanel(props: LatencyPanelProps) {
  const { title, uptime, hasRegions, parts, isZoomed, onZoom } = props;
  const [search, setSearch] = useSearchState();
  const span = { fromMs: Date.parse(uptime.from), toMs: Date.parse(uptime.to) };
  const modes = [
    { value: 'band', label: 'Percentiles' },
    ...(hasRegions ? [{ value: 'regions', label: 'By region' }] : []),
    ...(parts === null ? [] : [{ value: 'parts', label: parts.label }]),
  ];
  const mode = modes.find(({ value }) => value === search['chart'])?.value ?? 'band';
  return (
    <Paper component="section" withBorder p="md" mb="md">
      <Group justify="space-between" mb="sm">
        <Heading size="h5">{title}</Heading>
        <Group gap="sm">
          {modes.length > 1 && (
            <SegmentedControl
              size="xs"
              aria-label={`${title} shown as`}
              data={modes}
              value={mode}
              onChange={(chosen) => setSearch({ chart: chosen === 'band' ? undefined : chosen })}
            />
          )}
          {mode === 'regions' && <StatControl />}
          {mode !== 'parts' && <TableControl />}
        </Group>
      </Group>
      {mode === 'parts' ? parts?.content : <Chart {...props} mode={mode} span={span} />}
      <ZoomButtons span={span} isZoomed={isZoomed} onZoom={onZoom} />
    </Paper>
  );
}

function StatControl() {
  const [search, setSearch] = useSearchState();
  return (
    <SegmentedControl
      size="xs"
      aria-label="Percentile"
      data={[...STATS]}
      value={readStat(search['stat'])}
      onChange={(chosen) => setSearch({ stat: chosen === 'p95' ? undefined : chosen })}
    />
  );
}

function TableControl() {
  const [search, setSearch] = useSearchState();
  return (
    <SegmentedControl
      size="xs"
      aria-label="Shown as"
      data={[
        { value: 'chart', label: 'Chart' },
        { value: 'table', label: 'Table' },
      ]}
      value={search['view'] === 'table' ? 'table' : 'chart'}
      onChange={(chosen) => setSearch({ view: chosen === 'table' ? 'table' : undefined })}
    />
  );
}

interface ChartProps extends Omit<LatencyPanelProps, 'title' | 'hasRegions'> {
  readonly mode: string;
  readonly span: Span;
}

function Chart({ uptime, counted, earlier, lines, marks, onZoom, mode, span }: ChartProps) {
  const [search] = useSearchState();
  const stat = readStat(search['stat']);
  const shades = listShades(uptime.buckets);
  const band = bandRows(uptime.buckets, earlier?.buckets ?? [], span.toMs - span.fromMs);
  const isBand = mode === 'band';
  const regions = lines.map(({ region }) => region);
  const rows = isBand ? bandTable(band) : latencyRows(lines, stat);
  const empty = emptyWords(uptime.checks, counted);
  const all = [...marks, ...maintenanceMarks(shades)];
  const shown = marksWithin(all, span.fromMs, span.toMs);
  if (search['view'] === 'table')
    return (
      <LatencyTable
        regions={isBand ? BAND_COLUMNS : regions}
        rows={rows}
        stat={stat}
        empty={empty}
      />
    );
  return (
    <>
      <figure
        className={classes['figure']}
        aria-label={isBand ? bandText(band, shades) : chartText(regions, stat, shades)}
      >
        <Suspense fallback={<Loading />}>
          {isBand ? (
            <LatencyBand rows={band} shades={shades} marks={shown} span={span} onZoom={onZoom} />
          ) : (
            <LatencyLines regions={regions} rows={rows} shades={shades} {...span} />
          )}
        </Suspense>
        {tableRows(rows).length === 0 && (
          <Text size="sm" className={classes['nothing'] ?? ''}>
            {empty}
          </Text>
        )}
      </figure>
      <ChartLegend
        lines={isBand ? listLines(band) : []}
        shades={shades}
        downSeconds={uptime.incidents.downSeconds}
      />
      {isBand && <MarkList marks={shown} />}
    </>
  );
}

function bandText(rows: readonly BandRow[], shades: readonly Shade[]): string {
  const shaded = shades.length === 0 ? '' : ` ${shades.length} spans are shaded.`;
  return `Chart of p50, p95 and p99 of the response time at ${rows.length} times.${shaded} The same is there as a table.`;
}

function chartText(regions: readonly string[], stat: string, shades: readonly Shade[]): string {
  const shaded = shades.length === 0 ? '' : ` ${shades.length} spans are shaded.`;
  return `Chart of ${stat} of the response time in ${regions.join(', ')}.${shaded} The same is there as a table.`;
}

interface LatencyTableProps {
  readonly regions: readonly string[];
  readonly rows: readonly LatencyRow[];
  readonly stat: Stat;
  /** Shown if no row has a value. */
  readonly empty: string;
}

/** The numbers behind the lines of response times, newest first. */
function LatencyTable({ regions, rows, stat, empty }: LatencyTableProps) {
  const shown = tableRows(rows);
  if (shown.length === 0) return <Text c="dimmed">{empty}</Text>;
  return (
    <div className={classes['table']}>
      <ScrollBox label={`Response time, ${stat}`} minWidth={260 + 90 * regions.length}>
        <Table fz="sm" verticalSpacing={4}>
          <TableHead columns={['From', ...regions]} />
          <Table.Tbody>
            {shown.map(({ fromMs, values }) => (
              <Table.Tr key={fromMs}>
                <Table.Td>{absolute(new Date(fromMs).toISOString())}</Table.Td>
                {regions.map((region, index) => (
                  <Table.Td key={region}>{milliseconds(values[index] ?? null)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </div>
  );
}
