/** The figures of a window: availability, response times, incidents and how long repairs took. */
import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { Uptime } from '../data/api-types';
import { lengthOf, milliseconds, percent } from '../text/time';

export function UptimeTiles({ uptime }: { readonly uptime: Uptime }) {
  const { availability, responseTimeMs, incidents, checks } = uptime;
  const { mttrSeconds, longestSeconds } = incidents;
  const longest = longestSeconds === null ? null : `longest ${lengthOf(longestSeconds)}`;
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }} spacing="sm" mb="md">
      <Tile label="Uptime" value={percent(availability)} about={checksText(checks)} />
      <Tile label="p50" value={milliseconds(responseTimeMs.p50)} />
      <Tile label="p95" value={milliseconds(responseTimeMs.p95)} />
      <Tile label="p99" value={milliseconds(responseTimeMs.p99)} />
      <Tile label="Incidents" value={String(incidents.count)} about={longest} />
      <Tile
        label="MTTR"
        value={mttrSeconds === null ? '–' : lengthOf(mttrSeconds)}
        about={mttrSeconds === null ? null : 'mean time to recovery'}
      />
    </SimpleGrid>
  );
}

function checksText({ total, failed, missed }: Uptime['checks']): string {
  const parts = [`${total} checks`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (missed > 0) parts.push(`${missed} not run`);
  return parts.join(', ');
}

interface TileProps {
  readonly label: string;
  readonly value: string;
  readonly about?: string | null;
}

function Tile({ label, value, about = null }: TileProps) {
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={650} fz="1.2rem">
        {value}
      </Text>
      {about !== null && (
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      )}
    </Paper>
  );
}
