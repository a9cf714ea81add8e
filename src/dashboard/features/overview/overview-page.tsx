/** What is wrong now, worst first, and what to do when there is nothing yet. */
import { Anchor, Button, Card, Grid, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Incident, MaintenanceWindow, Overview, Page } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { useCan } from '../../shared/data/session';
import { STATUS_WORDS } from '../../shared/text/strings';
import { AbsoluteTime, RelativeTime } from '../../shared/text/time';
import { EmptyState } from '../../shared/ui/empty-state';
import { Loading } from '../../shared/ui/loading';
import { MailBanner } from '../../shared/ui/mail-banner';
import { PageHead } from '../../shared/ui/page-head';
import { ProblemNote } from '../../shared/ui/problem-note';
import { StatusIcon, StatusLabel, WORST_FIRST, worstOf } from '../../shared/ui/status';
import { FirstSteps } from './first-steps';
import classes from './overview.module.css';
import { WrongNow } from './wrong-now';

export function OverviewPage() {
  const { data, error } = useRead<Overview>('/v1/overview');
  const canWrite = useCan('write');
  if (error !== null) return <ProblemNote problem={error} />;
  if (data === undefined) return <Loading />;
  const isEmpty = data.monitors.total === 0 && data.scenarios.total === 0;
  return (
    <>
      <PageHead title="Overview" aside={isEmpty ? null : <Sum overview={data} />}>
        {canWrite && !isEmpty && (
          <Button component={Link} to="/monitors/new">
            New monitor
          </Button>
        )}
      </PageHead>
      <MailBanner />
      {isEmpty ? (
        <EmptyState
          title="No monitors yet"
          text="A monitor sends one request on a schedule. A scenario runs several steps and passes values between them."
          action={
            canWrite && (
              <Group justify="center">
                <Button component={Link} to="/monitors/new">
                  Create your first monitor
                </Button>
                <Button
                  component={Link}
                  to="/scenarios/new"
                  search={{ start: 'example' } as never}
                  variant="default"
                >
                  Use the example scenario
                </Button>
              </Group>
            )
          }
        />
      ) : (
        <Stack gap="lg">
          <Counts overview={data} />
          <WrongNow overview={data} />
          <Grid>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <OpenIncidents />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <NextMaintenance />
            </Grid.Col>
          </Grid>
        </Stack>
      )}
      {canWrite && <FirstSteps overview={data} />}
    </>
  );
}

function Sum({ overview }: { readonly overview: Overview }) {
  const { monitors, scenarios } = overview;
  const present = WORST_FIRST.filter(
    (status) => monitors.byStatus[status] + scenarios.byStatus[status] > 0,
  );
  return <StatusLabel status={worstOf(present)} />;
}

/** How many are in which state, each leading to the list of them. */
function Counts({ overview }: { readonly overview: Overview }) {
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, lg: 6 }} spacing="sm">
      {WORST_FIRST.filter((status) => status !== 'pending').map((status) => (
        <Link
          key={status}
          to="/monitors"
          search={{ status } as never}
          className={classes['count'] ?? ''}
        >
          <Group gap={6} wrap="nowrap">
            <StatusIcon status={status} />
            <Text size="sm" c="dimmed">
              {STATUS_WORDS[status]}
            </Text>
          </Group>
          <Text fz={26} fw={700} c="var(--mantine-color-text)">
            {overview.monitors.byStatus[status]}
          </Text>
          <Text size="xs" c="dimmed">
            {sortWords(overview.scenarios.byStatus[status])}
          </Text>
        </Link>
      ))}
    </SimpleGrid>
  );
}

/** What the number counts, and how many scenarios there are beside it. */
function sortWords(scenarios: number): string {
  if (scenarios === 0) return 'monitors';
  return scenarios === 1 ? 'monitors, 1 scenario' : `monitors, ${scenarios} scenarios`;
}

function OpenIncidents() {
  const { data } = useRead<Page<Incident>>('/v1/incidents?state=open&limit=200');
  const incidents = data?.data ?? [];
  return (
    <Card withBorder h="100%">
      <Title order={2} size="h4" mb="sm">
        Open incidents
      </Title>
      {incidents.length === 0 ? (
        <Text c="dimmed">No open incidents.</Text>
      ) : (
        <Stack gap="xs">
          {incidents.slice(0, 8).map(({ id, resourceName, cause, openedAt }) => (
            <div key={id}>
              <Anchor component={Link} to={`/incidents/${id}`} fw={600}>
                {resourceName}
              </Anchor>
              <Text size="sm" c="dimmed" lineClamp={2}>
                <RelativeTime at={openedAt} />
                {cause !== null && ` – ${cause.message}`}
              </Text>
            </div>
          ))}
          {incidents.length > 8 && (
            <Anchor component={Link} to="/incidents">
              All {incidents.length}
            </Anchor>
          )}
        </Stack>
      )}
    </Card>
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
    .sort((a, b) => a.startsAt.localeCompare(b.startsAt))
    .slice(0, 5);
  return (
    <Card withBorder h="100%">
      <Title order={2} size="h4" mb="sm">
        Maintenance
      </Title>
      {next.length === 0 ? (
        <Text c="dimmed">
          No maintenance scheduled. <Link to="/maintenance">Schedule one</Link>
        </Text>
      ) : (
        <Stack gap="xs">
          {next.map(({ id, name, isActive, startsAt, endsAt }) => (
            <Text key={id} size="sm">
              <b>{name}</b>{' '}
              {isActive ? (
                <>
                  in progress, ends <AbsoluteTime at={endsAt} />
                </>
              ) : (
                <>
                  starts <AbsoluteTime at={startsAt} />
                </>
              )}
            </Text>
          ))}
        </Stack>
      )}
    </Card>
  );
}
