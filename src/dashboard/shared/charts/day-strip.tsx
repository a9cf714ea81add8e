/** The last 90 days, one bar per day, with a legend. */
import { Group, Paper, Text } from '@mantine/core';
import type { Uptime } from '../data/api-types';
import { percent, shortDay } from '../text/time';
import { Heading } from '../ui/heading';
import classes from './charts.module.css';
import { DayBars } from './day-bars';
import { dayText, stripText, toDays } from './days';

/** The window begins in the middle of a day and covers 91 days, so the oldest one is left out. */
const DAYS = 90;

export function DayStrip({ uptime }: { readonly uptime: Uptime }) {
  const days = toDays(uptime.buckets).slice(-DAYS);
  const bad = days.filter(({ tone }) => tone === 'down').toReversed();
  return (
    <Paper component="section" withBorder p="md" mb="md">
      <Group justify="space-between" mb="xs">
        <Heading size="h5">90 days</Heading>
        <Text size="sm">
          {uptime.availability === null ? 'No data yet' : `${percent(uptime.availability)} up`}
        </Text>
      </Group>
      <DayBars
        label={stripText(days)}
        bars={days.map((day) => ({
          from: day.from,
          tone: day.tone,
          text: `${shortDay(day.from)}: ${dayText(day)}`,
        }))}
      />
      <details className={classes['details']}>
        <summary>{stripText(days)}</summary>
        {bad.length === 0 ? (
          <Text size="sm">No downtime.</Text>
        ) : (
          <ul>
            {bad.map((day) => (
              <li key={day.from}>
                {shortDay(day.from)}: {dayText(day)}
              </li>
            ))}
          </ul>
        )}
      </details>
    </Paper>
  );
}
