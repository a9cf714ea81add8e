/** The figures of a window: availability, response times, incidents and downtime. */
import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { Uptime } from '../data/api-types';
import { formatDuration, milliseconds, percent } from '../text/time';
import { type Counted, countWords } from './counted';

/** The number of columns by the width of the surrounding part of the page. */
const THREE = { base: 2, '540px': 3 };
const SIX = { ...THREE, '860px': 6 };

interface UptimeTilesProps {
  readonly uptime: Uptime;
  readonly counted: Counted;
  /** False means that there are no response times, because the job reports only its end. */
  readonly hasTimes?: boolean;
}

export function UptimeTiles({ uptime, counted, hasTimes = true }: UptimeTilesProps) {
  const { availability, responseTimeMs, incidents, checks } = uptime;
  const { mttrSeconds } = incidents;
  return (
    <SimpleGrid type="container" cols={hasTimes ? SIX : THREE} spacing="sm" mb="md">
      <Tile label="Uptime" value={percent(availability)} about={checksText(checks, counted)} />
      {hasTimes && (
        <>
          <Tile label="p50" value={milliseconds(responseTimeMs.p50)} />
          <Tile label="p95" value={milliseconds(responseTimeMs.p95)} />
          <Tile label="p99" value={milliseconds(responseTimeMs.p99)} />
        </>
      )}
      <Tile label="Incidents" value={String(incidents.count)} about={outagesText(incidents)} />
      <Tile
        label="Time down"
        value={formatDuration(incidents.downSeconds)}
        about={mttrSeconds === null ? null : `mean time to recovery ${formatDuration(mttrSeconds)}`}
      />
    </SimpleGrid>
  );
}

/**
 * Returns a text like `15 outages, longest 26 min 43 s`. Leaves out the number if it equals the number of incidents.
 */
function outagesText({ count, outages, longestSeconds }: Uptime['incidents']): string | null {
  if (longestSeconds === null) return null;
  const longest = `longest ${formatDuration(longestSeconds)}`;
  return outages === count ? longest : `${outages} outages, ${longest}`;
}

function checksText({ total, failed, missed }: Uptime['checks'], counted: Counted): string {
  const parts = [countWords(total, counted)];
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
