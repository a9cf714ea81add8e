/**
 * A row of bars with a legend. There is one bar for each day, and the newest is on the right. The worse the day, the
 * taller its bar.
 */
import { Group, Text } from '@mantine/core';
import classes from './charts.module.css';
import { type DayTone, listLegend } from './days';

interface DayBar {
  readonly from: string;
  readonly tone: DayTone;
  /** The tooltip of the bar. */
  readonly text: string;
}

interface DayBarsProps {
  readonly bars: readonly DayBar[];
  /** Describes all bars in one sentence, for screen readers. */
  readonly label: string;
}

export function DayBars({ bars, label }: DayBarsProps) {
  return (
    <>
      <div className={classes['strip']} role="img" aria-label={label}>
        {bars.map(({ from, tone, text }) => (
          <span key={from} className={classes['day']} data-tone={tone} title={text} />
        ))}
      </div>
      <Group justify="space-between" mt={4}>
        <Text size="xs" c="dimmed">
          {bars.length} days ago
        </Text>
        <Text size="xs" c="dimmed">
          Today
        </Text>
      </Group>
      <ul className={classes['legend']}>
        {listLegend(bars.map(({ tone }) => tone)).map(({ tone, words }) => (
          <li key={tone}>
            <span className={classes['day-key']} aria-hidden>
              <span className={classes['day']} data-tone={tone} />
            </span>
            <Text component="span" size="xs">
              {words}
            </Text>
          </li>
        ))}
      </ul>
    </>
  );
}
