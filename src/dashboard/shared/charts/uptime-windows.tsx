/** Shows the uptime over a day, a week, a month and a quarter. All windows end at the same instant. */
import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiProblem } from '../data/api';
import type { Uptime } from '../data/api-types';
import { useReads } from '../data/queries';
import { milliseconds, percent } from '../text/time';
import { type Counted, countWords } from './counted';
import { uptimePath, windowTiles } from './windows';

interface UptimeWindowsProps {
  /** The path of the uptime: `/v1/monitors/ID/uptime`. */
  readonly path: string;
  /** The page's read of the current window. The other windows end at the same time. */
  readonly current: Pick<UseQueryResult<Uptime, ApiProblem>, 'data' | 'error'>;
  readonly window: string;
  readonly createdAt: string;
  readonly counted: Counted;
}

export function UptimeWindows(props: UptimeWindowsProps) {
  const { path, current, createdAt, counted } = props;
  const to = current.data?.to;
  const tiles = windowTiles(createdAt, to === undefined ? Date.now() : Date.parse(to));
  const others = to === undefined ? [] : tiles.filter(({ window }) => window !== props.window);
  const found = useReads<Uptime>(others.map(({ window }) => uptimePath(path, { window, to })));
  const readingOf = (window: string) =>
    found[others.findIndex((one) => one.window === window)] ?? current;
  return (
    <SimpleGrid
      component="section"
      aria-label="Uptime by window"
      cols={{ base: 2, sm: 4 }}
      spacing="sm"
      mb="md"
    >
      {tiles.map(({ window, label }) => (
        <Tile key={window} label={label} of={readingOf(window)} counted={counted} />
      ))}
    </SimpleGrid>
  );
}

interface TileProps extends Pick<UptimeWindowsProps, 'counted'> {
  readonly label: string;
  readonly of: UptimeWindowsProps['current'];
}

function Tile({ label, of: { data: uptime, error }, counted }: TileProps) {
  const total = uptime?.checks.total ?? 0;
  const p95Ms = uptime?.responseTimeMs.p95 ?? null;
  const times = p95Ms === null ? [] : [`p95 ${milliseconds(p95Ms)}`];
  const figures = (
    <>
      <Text fz="1.3rem" fw={650}>
        {percent(uptime?.availability ?? null)}
      </Text>
      <Text size="xs" c="dimmed">
        {uptime === undefined ? 'not loaded' : [...times, countWords(total, counted)].join(' · ')}
      </Text>
    </>
  );
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      {uptime === undefined && error === null ? <Skeleton>{figures}</Skeleton> : figures}
    </Paper>
  );
}
