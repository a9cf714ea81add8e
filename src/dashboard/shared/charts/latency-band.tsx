/**
 * Shows response times as a band from p50 to p95, with p99 above it. A faint line shows the previous window. Events are
 * marked. Dragging zooms.
 */
import '@mantine/charts/styles.css';
import { Paper, Text } from '@mantine/core';
import { useState } from 'react';
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { absolute, milliseconds } from '../text/time';
import { buildAxis } from './axis';
import { type BandRow, findIsolatedRows, type Mark, type MarkKind } from './band';
import type { Shade, ShadeKind } from './latency';
import { computeMarks, markText } from './windows';
import { type Span, spanBetween } from './zoom';

const SHADE_COLORS: Readonly<Record<ShadeKind, string>> = {
  down: 'var(--kw-down-fill)',
  maintenance: 'var(--kw-maintenance-fill)',
  paused: 'var(--kw-quiet-fill)',
};
const MARK_COLORS: Readonly<Record<MarkKind, string>> = {
  incident: 'var(--kw-down)',
  edit: 'var(--mantine-color-text)',
  maintenance: 'var(--kw-maintenance)',
  run: 'var(--kw-degraded)',
};
const INK = 'var(--kw-spark)';

interface LatencyBandProps {
  readonly rows: readonly BandRow[];
  readonly shades: readonly Shade[];
  readonly marks: readonly Mark[];
  readonly span: Span;
  readonly onZoom: (span: Span) => void;
}

export function LatencyBand({ rows, shades, marks, span, onZoom }: LatencyBandProps) {
  const { fromMs, toMs } = span;
  const drag = useDrag(onZoom);
  const data = rows.map(({ fromMs: at, p50, p95, p99, before }) => ({
    at,
    band: p50 === null || p95 === null ? null : [p50, p95],
    p50,
    p95,
    p99,
    before,
  }));
  const alone = findIsolatedRows(rows);
  const isEmpty = rows.every(({ p95 }) => p95 === null);
  const axis = buildAxis(rows.flatMap(({ p50, p95, p99, before: then }) => [p50, p95, p99, then]));
  const zoneMs = -60_000 * new Date(toMs).getTimezoneOffset();
  return (
    <ResponsiveContainer width="100%" height={280}>
      <ComposedChart data={data} accessibilityLayer={false} {...drag.handlers}>
        <CartesianGrid vertical={false} stroke="var(--mantine-color-default-border)" />
        <XAxis
          dataKey="at"
          type="number"
          scale="time"
          domain={[fromMs, toMs]}
          allowDataOverflow
          tickFormatter={markText}
          ticks={[...computeMarks(fromMs, toMs, zoneMs)]}
          minTickGap={24}
          tick={TICK}
        />
        <YAxis
          width={72}
          tickFormatter={axis.format}
          tick={isEmpty ? false : TICK}
          axisLine={false}
          tickLine={false}
          domain={isEmpty ? [0, 1] : [0, axis.topMs]}
          ticks={isEmpty ? [] : [...axis.ticks]}
          // Without `allowDataOverflow`, an empty chart would ignore the domain and draw no shaded spans or marks.
          allowDataOverflow={isEmpty}
        />
        {shades.map((shade) => (
          <ReferenceArea
            key={`${shade.kind} ${shade.fromMs}`}
            x1={Math.max(shade.fromMs, fromMs)}
            x2={Math.min(shade.toMs, toMs)}
            fill={SHADE_COLORS[shade.kind]}
            fillOpacity={0.25}
          />
        ))}
        {marks.map(({ id, kind, atMs }) => (
          <ReferenceLine key={id} x={atMs} stroke={MARK_COLORS[kind]} strokeDasharray="2 3" />
        ))}
        <Area dataKey="band" stroke="none" fill={INK} fillOpacity={0.3} {...STILL} />
        <Line dataKey="before" stroke="var(--kw-quiet)" strokeDasharray="3 4" {...STILL} />
        <Line dataKey="p99" stroke="var(--kw-degraded)" strokeDasharray="6 3" {...STILL} />
        <Line dataKey="p50" stroke={INK} strokeWidth={1.75} {...STILL} />
        {/* Drawn after p99, so that the edge of the band stays visible where both have the same value. */}
        <Line
          dataKey="p95"
          stroke={INK}
          {...STILL}
          dot={({ index, cx, cy }) =>
            alone.has(index) ? <circle key={index} cx={cx} cy={cy} r={3} fill={INK} /> : null
          }
        />
        {drag.area !== null && (
          <ReferenceArea x1={drag.area.fromMs} x2={drag.area.toMs} fill={INK} fillOpacity={0.25} />
        )}
        <Tooltip
          isAnimationActive={false}
          content={({ active, label }) => (
            <Values row={active ? rows.find((row) => row.fromMs === label) : undefined} />
          )}
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

const TICK = { fontSize: 12, fill: 'var(--mantine-color-dimmed)' };
const STILL = { isAnimationActive: false, dot: false, activeDot: false, type: 'linear' } as const;

function Values({ row }: { readonly row: BandRow | undefined }) {
  if (row === undefined) return null;
  const values = [
    ['p50', row.p50],
    ['p95', row.p95],
    ['p99', row.p99],
    ['p95 before', row.before],
  ] as const;
  return (
    <Paper withBorder p="xs" shadow="sm">
      <Text size="xs" c="dimmed">
        {absolute(new Date(row.fromMs).toISOString())}
      </Text>
      {values.map(([name, value]) => (
        <Text size="xs" key={name}>
          {name}: <b>{milliseconds(value)}</b>
        </Text>
      ))}
    </Paper>
  );
}

interface Pointed {
  readonly activeLabel?: string | number | undefined;
}

/** Handles dragging. A press without movement does not zoom. */
function useDrag(onZoom: (span: Span) => void) {
  const [ends, setEnds] = useState<readonly [number, number] | null>(null);
  const at = ({ activeLabel }: Pointed): number => Number(activeLabel);
  const area =
    ends === null || ends[0] === ends[1]
      ? null
      : { fromMs: Math.min(...ends), toMs: Math.max(...ends) };
  return {
    area,
    handlers: {
      onMouseDown: (pointed: Pointed) => {
        if (Number.isFinite(at(pointed))) setEnds([at(pointed), at(pointed)]);
      },
      onMouseMove: (pointed: Pointed) => {
        if (ends !== null && Number.isFinite(at(pointed))) setEnds([ends[0], at(pointed)]);
      },
      onMouseUp: () => {
        setEnds(null);
        if (area !== null) onZoom(spanBetween(area.fromMs, area.toMs));
      },
      onMouseLeave: () => setEnds(null),
    },
  };
}
