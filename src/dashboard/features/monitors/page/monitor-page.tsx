/** One monitor: how it does, what its checks found, and what happened. The tab is in the address. */

import { Anchor, Tabs } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { UptimePanel } from '../../../shared/charts/uptime-panel';
import type { Monitor } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { slowness } from '../../../shared/data/trouble';
import { PageLoading } from '../../../shared/loading/page-loading';
import { patiently } from '../../../shared/loading/patiently';
import { Loading } from '../../../shared/ui/loading';
import { PageProblem } from '../../../shared/ui/page-problem';
import { TabList } from '../../../shared/ui/tab-list';
import { Trail } from '../../../shared/ui/trail';
import { TroubleStrip } from '../../../shared/ui/trouble-strip';
import { AlertsTab } from './alerts-tab';
import { IncidentsTab } from './incidents-tab';
import { MonitorHead } from './monitor-head';
import { ResultsTab } from './results-tab';

const ConfigurationTab = lazy(
  patiently(async () => ({ default: (await import('./configuration-tab')).ConfigurationTab })),
);

const TABS = [
  { value: 'overview', label: 'Overview' },
  { value: 'results', label: 'Results' },
  { value: 'incidents', label: 'Incidents' },
  { value: 'alerts', label: 'Alerts' },
  { value: 'configuration', label: 'Configuration' },
] as const;

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
  // Another monitor may still be shown from before.
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
      <MonitorTabs monitor={monitor} />
    </>
  );
}

function MonitorTabs({ monitor }: { readonly monitor: Monitor }) {
  const [search, setSearch] = useSearchState();
  const tab = TABS.find(({ value }) => value === search['tab'])?.value ?? 'overview';
  const open = (value: string | null): void =>
    setSearch({
      tab: value === null || value === 'overview' ? undefined : value,
      cursor: undefined,
      status: undefined,
      region: undefined,
      result: undefined,
      from: undefined,
      to: undefined,
    });
  return (
    <Tabs value={tab} onChange={open} keepMounted={false}>
      <TabList value={tab}>
        {TABS.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </TabList>
      <Tabs.Panel value="overview">
        <UptimePanel
          kind="monitors"
          id={monitor.id}
          hasRequests={monitor.type !== 'heartbeat'}
          regions={monitor.type === 'heartbeat' ? [] : monitor.regions}
          createdAt={monitor.createdAt}
          counted={monitor.type === 'heartbeat' ? 'result' : 'check'}
        />
      </Tabs.Panel>
      <Tabs.Panel value="results">
        <ResultsTab monitor={monitor} />
      </Tabs.Panel>
      <Tabs.Panel value="incidents">
        <IncidentsTab monitorId={monitor.id} />
      </Tabs.Panel>
      <Tabs.Panel value="alerts">
        <AlertsTab monitorId={monitor.id} />
      </Tabs.Panel>
      <Tabs.Panel value="configuration">
        <Suspense fallback={<Loading />}>
          <ConfigurationTab monitor={monitor} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}
