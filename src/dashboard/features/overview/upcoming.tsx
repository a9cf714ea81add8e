/** Upcoming events: planned maintenance and expiring certificates. */
import { Card, Grid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ListedCheck, MaintenanceWindow, Page } from '../../shared/data/api-types';
import { checkPath } from '../../shared/data/check-type';
import { useRead } from '../../shared/data/queries';
import { PlannedTime, RelativeTime } from '../../shared/text/time';
import { useNowMs } from '../../shared/text/use-now';
import { Heading } from '../../shared/ui/heading';
import classes from './overview.module.css';
import { expiringSoon } from './state';

const SHOWN_MAX = 5;

export function Upcoming({ checks }: { readonly checks: readonly ListedCheck[] }) {
  return (
    <Grid gap="sm">
      <Grid.Col span={{ base: 12, md: 6 }}>
        <NextMaintenance />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Certificates checks={checks} />
      </Grid.Col>
    </Grid>
  );
}

function NextMaintenance() {
  const { data } = useRead<Page<MaintenanceWindow>>('/v1/maintenance-windows?limit=100');
  const next = (data?.data ?? [])
    .flatMap(({ id, name, state, nextOccurrences }) =>
      nextOccurrences
        .slice(0, 1)
        .map((occurrence) => ({ id, name, isActive: state === 'active', ...occurrence })),
    )
    .toSorted((a, b) => a.startsAt.localeCompare(b.startsAt))
    .slice(0, SHOWN_MAX);
  return (
    <Card component="section" withBorder h="100%">
      <Heading mb="sm">Maintenance</Heading>
      {next.length === 0 ? (
        <Text c="dimmed" size="sm">
          No maintenance scheduled. <Link to="/maintenance">Schedule one</Link>
        </Text>
      ) : (
        <Stack gap={6}>
          {next.map(({ id, name, isActive, startsAt, endsAt }) => (
            <Text key={id} size="sm" className={classes['reason'] ?? ''}>
              <b>{name}</b> {isActive ? 'in progress, ends ' : 'starts '}
              <PlannedTime at={isActive ? endsAt : startsAt} />
            </Text>
          ))}
        </Stack>
      )}
    </Card>
  );
}

function Certificates({ checks }: { readonly checks: readonly ListedCheck[] }) {
  const nowMs = useNowMs();
  const expiring = expiringSoon(checks, nowMs);
  return (
    <Card component="section" withBorder h="100%">
      <Heading mb="sm">Certificates</Heading>
      {expiring.length === 0 ? (
        <Text c="dimmed" size="sm">
          No certificate expires within 30 days.
        </Text>
      ) : (
        <Stack gap={6}>
          {expiring.slice(0, SHOWN_MAX).map(({ check, expiresAt }) => (
            <Text key={check.id} size="sm" className={classes['reason'] ?? ''}>
              <Link to={checkPath(check)}>{check.name}</Link>{' '}
              {Date.parse(expiresAt) < nowMs ? 'expired' : 'expires'}{' '}
              <RelativeTime at={expiresAt} />
            </Text>
          ))}
          {expiring.length > SHOWN_MAX && (
            <Text size="sm" c="dimmed">
              and {expiring.length - SHOWN_MAX} more
            </Text>
          )}
        </Stack>
      )}
    </Card>
  );
}
