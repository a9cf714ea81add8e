/** Edits an existing monitor. */
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { isNetworkKind } from '../../../../contracts/kinds';
import type { Monitor } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { PageLoading } from '../../../shared/loading/page-loading';
import { PageHead } from '../../../shared/ui/page-head';
import { PageProblem } from '../../../shared/ui/page-problem';
import { Trail } from '../../../shared/ui/trail';
import { WritersOnly } from '../../../shared/ui/writers-only';
import { HEARTBEAT } from './heartbeat-draft';
import { HeartbeatForm } from './heartbeat-form';
import { kindDefinition } from './kind-draft';
import { KindForm } from './kind-form';
import { MONITOR } from './monitor-draft';
import { MonitorForm } from './monitor-form';
import { MONITOR_WRITERS } from './strings';

export function EditMonitorPage() {
  const { monitorId = '' } = useParams({ strict: false });
  const { data, error } = useRead<Monitor>(`/v1/monitors/${monitorId}`);
  const [first, setFirst] = useState<Monitor | null>(null);
  if (error !== null && (first === null || first.id !== monitorId))
    return <PageProblem problem={error} what="Monitor" trail={[MONITOR_WRITERS.list]} />;
  if (data === undefined) return <PageLoading />;
  // While the user edits, the version that the form opened with is kept, even if a newer version is
  // read.
  if (first === null || first.id !== monitorId) {
    setFirst(data);
    return <PageLoading />;
  }
  const draft = { ...first, enabled: undefined };
  return (
    <WritersOnly {...MONITOR_WRITERS}>
      <Trail pages={[MONITOR_WRITERS.list, { to: `/monitors/${first.id}`, label: first.name }]} />
      <PageHead title={`Edit ${first.name}`} />
      {first.type === 'http' && (
        <MonitorForm key={first.id} initial={MONITOR.toDraft(draft)} saved={first} />
      )}
      {isNetworkKind(first.type) && (
        <KindForm
          key={first.id}
          type={first.type}
          initial={kindDefinition(first.type).toDraft(draft)}
          saved={first}
        />
      )}
      {first.type === 'heartbeat' && (
        <HeartbeatForm key={first.id} initial={HEARTBEAT.toDraft(draft)} saved={first} />
      )}
    </WritersOnly>
  );
}
