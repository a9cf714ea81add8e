/** The last week by hour and day: how slow each hour was, and when the check was down. */
import { Paper, Text } from '@mantine/core';
import type { Uptime } from '../data/api-types';
import { useRead } from '../data/queries';
import { milliseconds } from '../text/time-text';
import { Heading } from '../ui/heading';
import classes from './charts.module.css';
import { cellText, type HeatCell, heatRows, heatText, isEmptyCell } from './heatmap';
import { chooseEveryMs } from './windows';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Shows the heatmap. `path` is the path of the uptime. Renders nothing until there is data. */
export function WeekHeatmap({ path }: { readonly path: string }) {
  const { data } = useRead<Uptime>(`${path}?window=7d`, { refetchInterval: chooseEveryMs('7d') });
  if (data === undefined) return null;
  const rows = heatRows(data.buckets);
  if (rows.every(({ cells }) => cells.every(isEmptyCell))) return null;
  const most = Math.max(...rows.flatMap(({ cells }) => cells.map(({ p95Ms }) => p95Ms ?? 0)));
  return (
    <Paper component="section" withBorder p="md" mb="md">
      <Heading size="h5" mb="xs">
        Last 7 days by hour
      </Heading>
      <div className={classes['heat']} role="img" aria-label={heatText(rows)}>
        <span />
        {HOURS.map((hour) => (
          <span key={hour} className={classes['heat-hour']}>
            {hour % 6 === 0 ? String(hour).padStart(2, '0') : ''}
          </span>
        ))}
        {rows.map(({ day, cells }) => [
          <span key={day} className={classes['heat-day']}>
            {day}
          </span>,
          ...cells.map((cell) => (
            <span
              key={`${day} ${cell.hour}`}
              className={classes['heat-cell']}
              style={{ background: chooseColor(cell, most) }}
              title={cellText(day, cell)}
            />
          )),
        ])}
      </div>
      <Text size="xs" c="dimmed" mt={6}>
        {most > 0 && `The stronger the colour, the slower: up to p95 ${milliseconds(most)}. `}
        Red: downtime. Grey: nothing measured.
      </Text>
    </Paper>
  );
}

/**
 * Returns the colour of a cell. Downtime and missing data have fixed colours. Other hours have a colour from pale to
 * full, in proportion to the slowest hour.
 */
function chooseColor({ p95Ms, downSeconds }: HeatCell, most: number): string {
  if (downSeconds > 0) return 'var(--kw-down-fill)';
  if (p95Ms === null) return 'var(--kw-ground)';
  const share = 18 + 82 * (p95Ms / Math.max(most, 1));
  return `color-mix(in srgb, var(--kw-spark) ${share.toFixed(0)}%, var(--kw-surface))`;
}
