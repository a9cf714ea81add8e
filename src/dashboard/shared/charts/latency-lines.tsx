/** The lines of a chart of response times. */
import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { absolute, milliseconds } from '../text/time';
import { buildAxis } from './axis';
import { type LatencyRow, type Shade, type ShadeKind, tableRows } from './latency';
import { computeMarks, markText } from './windows';

const COLORS = [
  'cyan.7',
  'violet.6',
  'orange.7',
  'pink.6',
  'teal.7',
  'indigo.6',
  'lime.8',
  'grape.6',
] as const;
/** Dash patterns, so that colour is not the only difference between lines. */
const DASHES = ['0', '6 3', '2 3', '8 3 2 3'] as const;
const SHADE_COLORS: Readonly<Record<ShadeKind, string>> = {
  down: 'var(--kw-down-fill)',
  maintenance: 'var(--kw-maintenance-fill)',
  paused: 'var(--kw-quiet-fill)',
};
/**
 * With more rows than this, the lines have no dots, because dots would blur the chart. With fewer rows, dots show
 * values without neighbours.
 */
const DOTS_MAX = 60;

interface LatencyLinesProps {
  readonly regions: readonly string[];
  readonly rows: readonly LatencyRow[];
  readonly shades: readonly Shade[];
  readonly fromMs: number;
  readonly toMs: number;
}

export function LatencyLines({ regions, rows, shades, fromMs, toMs }: LatencyLinesProps) {
  const data = rows.map(({ fromMs: at, values }) => ({
    at,
    ...Object.fromEntries(regions.map((_, index) => [nameLine(index), values[index] ?? null])),
  }));
  const axis = buildAxis(rows.flatMap(({ values }) => values));
  const measured = tableRows(rows).length;
  return (
    <LineChart
      h={280}
      data={data}
      dataKey="at"
      series={regions.map((region, index) => ({
        name: nameLine(index),
        label: region,
        color: COLORS[index % COLORS.length] ?? COLORS[0],
        strokeDasharray: DASHES[index % DASHES.length] ?? '0',
      }))}
      curveType="linear"
      strokeWidth={1.75}
      connectNulls={false}
      dotProps={{ r: measured > DOTS_MAX ? 0 : 2 }}
      activeDotProps={{ r: 3 }}
      withLegend={regions.length > 1}
      accessibilityLayer={false}
      valueFormatter={milliseconds}
      xAxisProps={{
        type: 'number',
        scale: 'time',
        domain: [fromMs, toMs],
        tickFormatter: markText,
        ticks: [...computeMarks(fromMs, toMs, zoneOffsetMs(toMs))],
        minTickGap: 24,
      }}
      // The domain is set for an empty chart, because shaded areas would otherwise have no height.
      yAxisProps={{
        width: 72,
        ...(measured === 0
          ? { domain: [0, 1], allowDataOverflow: true, tick: false }
          : { domain: [0, axis.topMs], ticks: [...axis.ticks], tickFormatter: axis.format }),
      }}
      tooltipProps={{
        labelFormatter: (at) =>
          typeof at === 'number' ? absolute(new Date(at).toISOString()) : '',
      }}
      referenceAreas={shades.map(({ kind, fromMs: x1, toMs: x2 }) => ({
        x1: Math.max(x1, fromMs),
        x2: Math.min(x2, toMs),
        color: SHADE_COLORS[kind],
        strokeOpacity: 0,
        fillOpacity: 0.25,
      }))}
    />
  );
}

function zoneOffsetMs(atMs: number): number {
  return -60_000 * new Date(atMs).getTimezoneOffset();
}

/**
 * Returns the key of a line. The region's name is not used, because the chart would read a dot in the name as a path.
 */
function nameLine(index: number): string {
  return `line${index}`;
}
