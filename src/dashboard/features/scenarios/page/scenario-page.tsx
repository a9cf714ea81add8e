/** One scenario: how it does, its last runs step by step, and what it consists of. */
import { ActionIcon, Anchor, Button, Card, Group, Menu, Stack, Text } from '@mantine/core';
import { IconDots, IconEdit, IconPlayerPlay } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { TemporalItem } from '../../../shared/actions/temporal-item';
import { useRunNow } from '../../../shared/actions/use-run-now';
import { ACTION_TEXT } from '../../../shared/actions/words';
import { WriteItems } from '../../../shared/actions/write-items';
import { UptimePanel } from '../../../shared/charts/uptime-panel';
import type { Page, Run, Scenario } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { useCan } from '../../../shared/data/session';
import { hasFilters, withoutFilters } from '../../../shared/list/list-filters';
import { LIST_WORDS } from '../../../shared/list/words';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { Expiry } from '../../../shared/results/expiry';
import { everyWords, RelativeTime } from '../../../shared/text/time';
import { EmptyState } from '../../../shared/ui/empty-state';
import { Heading } from '../../../shared/ui/heading';
import { NoAlertsBadge } from '../../../shared/ui/no-alerts-badge';
import { PageHead } from '../../../shared/ui/page-head';
import { PageProblem } from '../../../shared/ui/page-problem';
import { Pager } from '../../../shared/ui/pager';
import { StatusLabel } from '../../../shared/ui/status';
import { Trail } from '../../../shared/ui/trail';
import { TroubleStrip } from '../../../shared/ui/trouble-strip';
import { RUN_TEXT } from '../strings';
import { Definition } from './definition';
import { RunDialog } from './run-dialog';
import { RunFilters } from './run-filters';
import { RunList } from './run-list';
import { RunMatrix } from './run-matrix';
import { RUN_FILTERS, runsPath } from './run-query';

export function ScenarioPage() {
  const { scenarioId = '' }: { scenarioId?: string } = useParams({ strict: false });
  const { data: scenario, error } = useRead<Scenario>(`/v1/scenarios/${scenarioId}`);
  if (error !== null && (scenario?.id !== scenarioId || error.status === 404))
    return (
      <PageProblem
        problem={error}
        what="Scenario"
        trail={[{ to: '/scenarios', label: 'Scenarios' }]}
      />
    );
  // Another scenario may still be shown from before.
  if (scenario?.id !== scenarioId) return <PageLoading />;
  return (
    <>
      <Trail pages={[{ to: '/scenarios', label: 'Scenarios' }]} />
      <PageHead
        title={scenario.name}
        aside={
          <>
            <StatusLabel status={scenario.status} />
            <NoAlertsBadge
              of={{ ...scenario, type: 'scenario' }}
              page={`/scenarios/${scenario.id}`}
            />
          </>
        }
        about={<About scenario={scenario} />}
      >
        <HeadActions scenario={scenario} />
      </PageHead>
      <TroubleStrip resource={scenario} />
      <UptimePanel
        kind="scenarios"
        id={scenario.id}
        hasRequests
        regions={scenario.regions}
        createdAt={scenario.createdAt}
        counted="run"
      />
      <Stack>
        <Runs scenario={scenario} />
        <Card withBorder>
          <Heading mb="sm">Definition</Heading>
          <Definition scenario={scenario} />
        </Card>
      </Stack>
    </>
  );
}

function About({ scenario }: { readonly scenario: Scenario }) {
  const { interval, regions, nextCheckAt, state, pauseReason, currentIncidentId, status } =
    scenario;
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        Runs {everyWords(interval)} from {regions.join(', ')}
        {state === 'active' && nextCheckAt !== null && (
          <>
            {' '}
            · {Date.parse(nextCheckAt) > Date.now() ? 'next' : 'due'}{' '}
            <RelativeTime at={nextCheckAt} />
          </>
        )}
        {pauseReason === null ? '' : ` · paused: ${pauseReason}`}
      </Text>
      {currentIncidentId !== null && status !== 'down' && status !== 'degraded' && (
        <Anchor
          component={Link}
          to={`/incidents/${currentIncidentId}`}
          size="sm"
          underline="always"
        >
          View incident
        </Anchor>
      )}
      <Expiry of="Certificate" at={scenario.tlsExpiresAt} warning={scenario.tlsWarning} />
    </Group>
  );
}

function HeadActions({ scenario }: { readonly scenario: Scenario }) {
  const canRun = useCan('run');
  const canWrite = useCan('write');
  const [isAsking, setIsAsking] = useState(false);
  const run = useRunNow();
  const { url } = scenario.links.temporal;
  return (
    <>
      {canRun && (
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() => run(scenario)}
        >
          {ACTION_TEXT.run}
        </Button>
      )}
      {canWrite && (
        <Button
          component={Link}
          to={`/scenarios/${scenario.id}/edit`}
          variant="default"
          leftSection={<IconEdit size={16} aria-hidden />}
        >
          {ACTION_TEXT.edit}
        </Button>
      )}
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={ACTION_TEXT.actions}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canRun && (
            <Menu.Item
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              onClick={() => setIsAsking(true)}
            >
              Run with values …
            </Menu.Item>
          )}
          {canWrite ? (
            <WriteItems kind="scenarios" resource={scenario} leaveOut={['edit']}>
              <TemporalItem url={url} />
            </WriteItems>
          ) : (
            <TemporalItem url={url} />
          )}
        </Menu.Dropdown>
      </Menu>
      {isAsking && (
        <RunDialog
          scenario={scenario}
          onRun={(body) => run(scenario, body)}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

function Runs({ scenario }: { readonly scenario: Scenario }) {
  const [search, setSearch] = useSearchState();
  const { data, error } = useRead<Page<Run>>(runsPath(scenario.id, search));
  const runs = data?.data ?? [];
  const isNarrowed = hasFilters(search, RUN_FILTERS);
  return (
    <Card withBorder>
      <Group justify="space-between" mb="sm">
        <Heading>{RUN_TEXT.runs}</Heading>
        <RunFilters regions={scenario.regions} />
      </Group>
      <Unread of={{ data, error }} />
      {runs.length > 0 && (
        <Stack>
          <RunMatrix scenarioId={scenario.id} runs={runs} />
          <RunList scenarioId={scenario.id} runs={runs} />
        </Stack>
      )}
      {data?.data.length === 0 && (
        <EmptyState
          title={isNarrowed ? 'No run matches these filters.' : 'No runs yet'}
          text={
            isNarrowed
              ? ''
              : 'The first run starts within the interval. Run it now to see results sooner.'
          }
          action={
            isNarrowed ? (
              <Button onClick={() => setSearch(withoutFilters(RUN_FILTERS))}>
                {LIST_WORDS.clear}
              </Button>
            ) : undefined
          }
        />
      )}
      {data !== undefined && <Pager nextCursor={data.nextCursor} />}
    </Card>
  );
}
