/** The figures of a window: response times, incidents and downtime. Also shows the uptime if `counted` is set. */
import { Paper, Text } from '@mantine/core';
import type { Uptime } from '../data/api-types';
import { formatDuration, milliseconds, percent } from '../text/time';
import { type Counted, checksText } from './counted';
import classes from './windows.module.css';

interface UptimeTilesProps {
  readonly uptime: Uptime;
  /** What the uptime's tile counts. Absent if the page shows the uptime elsewhere. */
  readonly counted?: Counted;
  /** False means that there are no response times, because the job reports only its end. */
  readonly hasTimes?: boolean;
}

export function UptimeTiles({ uptime, counted, hasTimes = true }: UptimeTilesProps) {
  const { availability, responseTimeMs, incidents, checks } = uptime;
  const { mttrSeconds } = incidents;
  return (
    <div className={classes['figures']}>
      {counted !== undefined && (
        <Tile label="Uptime" value={percent(availability)} about={checksText(checks, counted)} />
      )}
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
        about={mttrSeconds === null ? null : `MTTR ${formatDuration(mttrSeconds)}`}
      />
    </div>
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

interface TileProps {
  readonly label: string;
  readonly value: string;
  readonly about?: string | null;
}

function Tile({ label, value, about = null }: TileProps) {
  return (
    <Paper withBorder p="sm" className={classes['figure'] ?? ''}>
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
