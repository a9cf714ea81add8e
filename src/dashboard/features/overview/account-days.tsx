/** The last 90 days of the account, one bar per day, with a legend. */
import { Group, Paper, Text } from '@mantine/core';
import { DayBars } from '../../shared/charts/day-bars';
import type { Trends } from '../../shared/data/api-types';
import { shortDay } from '../../shared/text/time-text';
import { Heading } from '../../shared/ui/heading';
import { accountDaysText, accountDayText, chooseTone } from './trend';

const LEGEND = 'Orange: down for less than an hour. Red: for longer.';

export function AccountDays({ days }: Pick<Trends, 'days'>) {
  const bars = days.map((day) => ({
    from: day.date,
    tone: chooseTone(day),
    text: `${shortDay(day.date)}: ${accountDayText(day)}`,
  }));
  return (
    <Paper component="section" withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Heading>90 days</Heading>
        <Text size="sm" c="dimmed">
          {accountDaysText(days)}
        </Text>
      </Group>
      <DayBars bars={bars} label={`Last 90 days. ${accountDaysText(days)}`} />
      <Group justify="space-between" mt={6}>
        <Text size="xs" c="dimmed">
          90 days ago
        </Text>
        <Text size="xs" c="dimmed" visibleFrom="sm">
          {LEGEND}
        </Text>
        <Text size="xs" c="dimmed">
          Today
        </Text>
      </Group>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {LEGEND}
      </Text>
    </Paper>
  );
}
