/** The page of one scenario. */
import { ActionIcon, Anchor, Button, Group, Menu, Text } from '@mantine/core';
import { IconDots, IconEdit, IconPlayerPlay } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { PauseButton, PausedSince } from '../../../shared/actions/pause-button';
import { TemporalItem } from '../../../shared/actions/temporal-item';
import { useRunNow } from '../../../shared/actions/use-run-now';
import { ACTION_TEXT } from '../../../shared/actions/words';
import { WriteItems } from '../../../shared/actions/write-items';
import { MaintenanceStrip } from '../../../shared/alerts/maintenance-strip';
import { NoAlertsBadge } from '../../../shared/alerts/no-alerts-badge';
import { TroubleStrip } from '../../../shared/alerts/trouble-strip';
import { UptimePanel } from '../../../shared/charts/uptime-panel';
import type { Scenario } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { downSince } from '../../../shared/data/trouble';
import { loadWhenReached } from '../../../shared/loading/load-when-reached';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Expiry } from '../../../shared/results/expiry';
import { AlertsTab } from '../../../shared/tabs/alerts-tab';
import { IncidentsTab } from '../../../shared/tabs/incidents-tab';
import { PageTabs } from '../../../shared/tabs/page-tabs';
import { TabButton } from '../../../shared/tabs/tab-button';
import { everyWords, NextTime } from '../../../shared/text/time';
import { Loading } from '../../../shared/ui/loading';
import { PageHead } from '../../../shared/ui/page-head';
import { PageProblem } from '../../../shared/ui/page-problem';
import { StatusLabel } from '../../../shared/ui/status';
import { Trail } from '../../../shared/ui/trail';
import { RUN_TEXT } from '../strings';
import { LastRunLink, LastRunSteps } from './last-run';
import { RunDialog } from './run-dialog';
import { RunsTab } from './runs-tab';

const DefinitionTab = lazy(
  loadWhenReached(async () => ({ default: (await import('./definition-tab')).DefinitionTab })),
);

const FAILURES = { tab: 'runs', status: 'failed' };

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
  // The data may still belong to the previous scenario.
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
      <TroubleStrip resource={scenario}>
        <Anchor component={Link} to="." search={FAILURES as never} inherit>
          Failed runs
        </Anchor>
      </TroubleStrip>
      <MaintenanceStrip resource={scenario} />
      <ScenarioTabs scenario={scenario} />
    </>
  );
}

function ScenarioTabs({ scenario }: { readonly scenario: Scenario }) {
  const of = { resourceId: scenario.id, noun: 'scenario' };
  return (
    <PageTabs
      tabs={[
        {
          value: 'overview',
          label: 'Overview',
          content: (
            <>
              <LastRunSteps scenario={scenario} />
              <UptimePanel
                kind="scenarios"
                id={scenario.id}
                hasRequests
                regions={scenario.regions}
                createdAt={scenario.createdAt}
                downSince={downSince(scenario)}
                counted="run"
              />
            </>
          ),
        },
        { value: 'runs', label: RUN_TEXT.runs, content: <RunsTab scenario={scenario} /> },
        {
          value: 'incidents',
          label: 'Incidents',
          content: <IncidentsTab {...of} action={<TabButton tab="runs" label="See its runs" />} />,
        },
        {
          value: 'alerts',
          label: 'Alerts',
          content: (
            <AlertsTab
              {...of}
              action={<TabButton tab="definition" label="See who gets alerted" />}
            />
          ),
        },
        {
          value: 'definition',
          label: 'Definition',
          content: (
            <Suspense fallback={<Loading />}>
              <DefinitionTab scenario={scenario} />
            </Suspense>
          ),
        },
      ]}
    />
  );
}

function About({ scenario }: { readonly scenario: Scenario }) {
  const { interval, regions, nextCheckAt, state, currentIncidentId, status } = scenario;
  return (
    <>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          Runs {everyWords(interval)} from {regions.join(', ')}
          <LastRunLink scenario={scenario} />
          {state === 'active' && nextCheckAt !== null && (
            <>
              {' '}
              · <NextTime at={nextCheckAt} />
            </>
          )}
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
      <PausedSince of={scenario} />
    </>
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
      {canWrite && <PauseButton kind="scenarios" resource={scenario} />}
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
            <WriteItems kind="scenarios" resource={scenario} isOnItsPage>
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
