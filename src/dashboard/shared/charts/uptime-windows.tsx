/** Uptime over a day, a week, a month and a quarter, side by side. */
import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { Uptime } from '../data/api-types';
import { useReads } from '../data/queries';
import { milliseconds, percent } from '../text/time';
import { type Counted, countWords } from './counted';
import { collectingText } from './windows';

const WINDOWS = [
  { window: '24h', label: 'Uptime, 24 hours' },
  { window: '7d', label: 'Uptime, 7 days' },
  { window: '30d', label: 'Uptime, 30 days' },
  { window: '90d', label: 'Uptime, 90 days' },
] as const;

interface UptimeWindowsProps {
  /** Where the uptime is: `/v1/monitors/ID/uptime`. */
  readonly path: string;
  readonly createdAt: string;
  readonly counted: Counted;
}

export function UptimeWindows({ path, createdAt, counted }: UptimeWindowsProps) {
  const found = useReads<Uptime>(WINDOWS.map(({ window }) => `${path}?window=${window}`));
  return (
    <SimpleGrid
      component="section"
      aria-label="Uptime by window"
      cols={{ base: 2, sm: 4 }}
      spacing="sm"
      mb="md"
    >
      {WINDOWS.map(({ window, label }, index) => (
        <Tile
          key={window}
          label={label}
          uptime={found[index]?.data}
          isPending={found[index]?.isPending ?? false}
          createdAt={createdAt}
          counted={counted}
        />
      ))}
    </SimpleGrid>
  );
}

interface TileProps extends Pick<UptimeWindowsProps, 'createdAt' | 'counted'> {
  readonly label: string;
  readonly uptime: Uptime | undefined;
  readonly isPending: boolean;
}

function Tile({ label, uptime, isPending, createdAt, counted }: TileProps) {
  const collecting = uptime === undefined ? null : collectingText(uptime.from, createdAt);
  const total = uptime?.checks.total ?? 0;
  const p95Ms = uptime?.responseTimeMs.p95 ?? null;
  const times = p95Ms === null ? [] : [`p95 ${milliseconds(p95Ms)}`];
  const figures = (
    <>
      <Text fz="1.3rem" fw={650}>
        {percent(uptime?.availability ?? null)}
      </Text>
      <Text size="xs" c="dimmed">
        {uptime === undefined
          ? 'not loaded'
          : (collecting ?? [...times, countWords(total, counted)].join(' · '))}
      </Text>
    </>
  );
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      {isPending ? <Skeleton>{figures}</Skeleton> : figures}
    </Paper>
  );
}
