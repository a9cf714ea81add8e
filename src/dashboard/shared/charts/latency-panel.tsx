/** Response times by region: a chart with outages, pauses and maintenance shaded, or the same as a table. */
import { Group, Paper, SegmentedControl, Text, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Uptime } from '../data/api-types';
import { useSearchState } from '../data/search';
import { lengthOf } from '../text/time';
import { Loading } from '../ui/loading';
import classes from './charts.module.css';
import {
  latencyRows,
  type RegionUptime,
  SHADE_KINDS,
  type Shade,
  type ShadeKind,
  STATS,
  shadesOf,
  statOf,
  tableRows,
} from './latency';
import { LatencyTable, NOTHING_MEASURED } from './latency-table';

const LatencyLines = lazy(() =>
  import('./latency-lines').then(({ LatencyLines: component }) => ({ default: component })),
);

const SHADE_WORDS: Readonly<Record<ShadeKind, string>> = {
  down: 'Down',
  maintenance: 'Maintenance',
  paused: 'Paused',
};

interface LatencyPanelProps {
  /** Of all regions: what is shaded. */
  readonly uptime: Uptime;
  readonly lines: readonly RegionUptime[];
}

export function LatencyPanel({ uptime, lines }: LatencyPanelProps) {
  const [search, setSearch] = useSearchState();
  const stat = statOf(search['stat']);
  const isTable = search['view'] === 'table';
  const regions = lines.map(({ region }) => region);
  const rows = latencyRows(lines, stat);
  const shades = shadesOf(uptime.buckets);
  return (
    <Paper component="section" withBorder p="md" mb="md">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">
          Response time
        </Title>
        <Group gap="sm">
          <SegmentedControl
            size="xs"
            aria-label="Percentile"
            data={[...STATS]}
            value={stat}
            onChange={(chosen) => setSearch({ stat: chosen === 'p95' ? undefined : chosen })}
          />
          <SegmentedControl
            size="xs"
            aria-label="Shown as"
            data={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
            value={isTable ? 'table' : 'chart'}
            onChange={(chosen) => setSearch({ view: chosen === 'table' ? 'table' : undefined })}
          />
        </Group>
      </Group>
      {isTable ? (
        <LatencyTable regions={regions} rows={rows} stat={stat} />
      ) : (
        <figure className={classes['figure']} aria-label={chartText(regions, stat, shades)}>
          <Suspense fallback={<Loading />}>
            <LatencyLines
              regions={regions}
              rows={rows}
              shades={shades}
              fromMs={Date.parse(uptime.from)}
              toMs={Date.parse(uptime.to)}
            />
          </Suspense>
          {tableRows(rows).length === 0 && (
            <Text size="sm" className={classes['nothing'] ?? ''}>
              {NOTHING_MEASURED}
            </Text>
          )}
        </figure>
      )}
      <ShadeLegend shades={shades} />
    </Paper>
  );
}

function chartText(regions: readonly string[], stat: string, shades: readonly Shade[]): string {
  const shaded = shades.length === 0 ? '' : ` ${shades.length} spans are shaded.`;
  return `Chart of ${stat} of the response time in ${regions.join(', ')}.${shaded} The same is there as a table.`;
}

/** What the shades mean, and how long each kind lasted. */
function ShadeLegend({ shades }: { readonly shades: readonly Shade[] }) {
  const kinds = SHADE_KINDS.map((kind) => ({
    kind,
    seconds: shades
      .filter((shade) => shade.kind === kind)
      .reduce((total, { seconds }) => total + seconds, 0),
  })).filter(({ seconds }) => seconds > 0);
  if (kinds.length === 0) return null;
  return (
    <ul className={classes['legend']}>
      {kinds.map(({ kind, seconds }) => (
        <li key={kind}>
          <span className={classes['swatch']} data-kind={kind} aria-hidden />
          <Text component="span" size="xs">
            {SHADE_WORDS[kind]} {lengthOf(seconds)}
          </Text>
        </li>
      ))}
    </ul>
  );
}
