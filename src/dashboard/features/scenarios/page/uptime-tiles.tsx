/** Availability of a scenario over a day, a week, a month and a quarter, of the runs that count. */
import { Card, Text } from '@mantine/core';
import type { Uptime } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { milliseconds, percent } from '../../../shared/text/time';
import classes from '../runs/runs.module.css';

const WINDOWS = [
  { window: '24h', label: '24 hours' },
  { window: '7d', label: '7 days' },
  { window: '30d', label: '30 days' },
  { window: '90d', label: '90 days' },
] as const;

export function UptimeTiles({ scenarioId }: { readonly scenarioId: string }) {
  return (
    <div className={classes['tiles']}>
      {WINDOWS.map(({ window, label }) => (
        <Tile
          key={window}
          label={label}
          path={`/v1/scenarios/${scenarioId}/uptime?window=${window}`}
        />
      ))}
    </div>
  );
}

function Tile({ label, path }: { readonly label: string; readonly path: string }) {
  const { data } = useRead<Uptime>(path);
  return (
    <Card withBorder padding="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={650}>
        {percent(data?.availability ?? null)}
      </Text>
      <Text size="xs" c="dimmed">
        p95 {milliseconds(data?.responseTimeMs.p95 ?? null)} · {runsWords(data?.checks.total ?? 0)}
      </Text>
    </Card>
  );
}

function runsWords(count: number): string {
  return count === 1 ? '1 run' : `${count} runs`;
}
