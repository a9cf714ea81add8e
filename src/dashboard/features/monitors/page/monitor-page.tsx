/** The page of one monitor. */
import { Anchor, Box } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { MaintenanceStrip } from '../../../shared/alerts/maintenance-strip';
import { TroubleStrip } from '../../../shared/alerts/trouble-strip';
import { UptimePanel } from '../../../shared/charts/uptime-panel';
import type { Monitor } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { downSince, slowness } from '../../../shared/data/trouble';
import { loadWhenReached } from '../../../shared/loading/load-when-reached';
import { PageLoading } from '../../../shared/loading/page-loading';
import { JobReports } from '../../../shared/results/job-reports';
import { AlertsTab } from '../../../shared/tabs/alerts-tab';
import { IncidentsTab } from '../../../shared/tabs/incidents-tab';
import { PageTabs } from '../../../shared/tabs/page-tabs';
import { TabButton } from '../../../shared/tabs/tab-button';
import { Loading } from '../../../shared/ui/loading';
import { PageProblem } from '../../../shared/ui/page-problem';
import { Trail } from '../../../shared/ui/trail';
import { HowToPing } from './how-to-ping';
import { isInTrouble, MonitorAbout, MonitorHead } from './monitor-head';
import { ResultsTab } from './results-tab';

const ConfigurationTab = lazy(
  loadWhenReached(async () => ({
    default: (await import('./configuration-tab')).ConfigurationTab,
  })),
);

const FAILURES = { tab: 'results', status: 'down' };

export function MonitorPage() {
  const { monitorId = '' }: { monitorId?: string } = useParams({ strict: false });
  const { data: monitor, error } = useRead<Monitor>(`/v1/monitors/${monitorId}`);
  if (error !== null && (monitor?.id !== monitorId || error.status === 404))
    return (
      <PageProblem
        problem={error}
        what="Monitor"
        trail={[{ to: '/monitors', label: 'Monitors' }]}
      />
    );
  // The data may still belong to the previous monitor.
  if (monitor?.id !== monitorId) return <PageLoading />;
  return (
    <>
      <Trail pages={[{ to: '/monitors', label: 'Monitors' }]} />
      <MonitorHead monitor={monitor} />
      <TroubleStrip
        resource={monitor}
        slowness={'degradedAboveMs' in monitor ? slowness(monitor) : undefined}
      >
        <Anchor component={Link} to="." search={FAILURES as never} inherit>
          Failed results
        </Anchor>
      </TroubleStrip>
      {isInTrouble(monitor) && (
        <Box mb="md">
          <MonitorAbout monitor={monitor} />
        </Box>
      )}
      <MaintenanceStrip resource={monitor} />
      {monitor.type === 'heartbeat' && <HowToPing monitor={monitor} />}
      <MonitorTabs monitor={monitor} />
    </>
  );
}

function MonitorTabs({ monitor }: { readonly monitor: Monitor }) {
  const isHeartbeat = monitor.type === 'heartbeat';
  const of = { resourceId: monitor.id, noun: isHeartbeat ? 'heartbeat' : 'monitor' };
  return (
    <PageTabs
      tabs={[
        {
          value: 'overview',
          label: 'Overview',
          content: (
            <>
              {monitor.type === 'heartbeat' && monitor.lastPingAt !== null && (
                <Box mb="md">
                  <JobReports monitorId={monitor.id} />
                </Box>
              )}
              <UptimePanel
                kind="monitors"
                id={monitor.id}
                hasRequests={!isHeartbeat}
                regions={isHeartbeat ? [] : monitor.regions}
                createdAt={monitor.createdAt}
                downSince={downSince(monitor)}
                counted={isHeartbeat ? 'result' : 'check'}
              />
            </>
          ),
        },
        { value: 'results', label: 'Results', content: <ResultsTab monitor={monitor} /> },
        {
          value: 'incidents',
          label: 'Incidents',
          content: (
            <IncidentsTab {...of} action={<TabButton tab="results" label="See its results" />} />
          ),
        },
        {
          value: 'alerts',
          label: 'Alerts',
          content: (
            <AlertsTab
              {...of}
              action={<TabButton tab="configuration" label="See who gets alerted" />}
            />
          ),
        },
        {
          value: 'configuration',
          label: 'Configuration',
          content: (
            <Suspense fallback={<Loading />}>
              <ConfigurationTab monitor={monitor} />
            </Suspense>
          ),
        },
      ]}
    />
  );
}
