/** Monitors and scenarios that are down or degraded, worst and longest first. */
import { Card, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Monitor, Overview, Page, Scenario } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { RelativeTime } from '../../shared/text/time';
import { StatusLabel } from '../../shared/ui/status';
import classes from './overview.module.css';

const SHOWN_MAX = 20;
const MORE = { status: 'down,degraded' };

export function WrongNow({ overview: { monitors, scenarios } }: { readonly overview: Overview }) {
  const down = useRows('down', monitors.byStatus.down, scenarios.byStatus.down);
  const degraded = useRows('degraded', monitors.byStatus.degraded, scenarios.byStatus.degraded);
  const rows = [...down, ...degraded];
  return (
    <Card withBorder>
      <Title order={2} size="h4" mb="xs">
        Needs attention
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">All systems operational.</Text>
      ) : (
        <div>
          {rows.slice(0, SHOWN_MAX).map(({ id, name, status, healthSince, kind }) => (
            <div key={id} className={classes['row']}>
              <span className={classes['status']}>
                <StatusLabel status={status} />
              </span>
              <Link to={`/${kind}/${id}`} className={classes['name'] ?? ''}>
                {name}
              </Link>
              <Text size="sm" c="dimmed" ml="auto" style={{ whiteSpace: 'nowrap' }}>
                <RelativeTime at={healthSince} />
              </Text>
            </div>
          ))}
          {rows.length > SHOWN_MAX && (
            <Text size="sm" mt="xs">
              <Link to="/monitors" search={MORE as never}>
                All down or degraded monitors
              </Link>
            </Text>
          )}
        </div>
      )}
    </Card>
  );
}

function useRows(status: 'down' | 'degraded', monitors: number, scenarios: number) {
  const path = (kind: string): string => `/v1/${kind}?status=${status}&limit=${SHOWN_MAX}`;
  const ofMonitors = useRead<Page<Monitor>>(path('monitors'), { enabled: monitors > 0 });
  const ofScenarios = useRead<Page<Scenario>>(path('scenarios'), { enabled: scenarios > 0 });
  const rows = [
    ...(monitors > 0 ? (ofMonitors.data?.data ?? []) : []).map((row) => ({
      ...row,
      kind: 'monitors',
    })),
    ...(scenarios > 0 ? (ofScenarios.data?.data ?? []) : []).map((row) => ({
      ...row,
      kind: 'scenarios',
    })),
  ];
  return rows.sort((a, b) => a.healthSince.localeCompare(b.healthSince));
}
