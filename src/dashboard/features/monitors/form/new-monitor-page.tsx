/** A new monitor, empty or as a copy of another one. */
import { SegmentedControl } from '@mantine/core';
import type { Monitor } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { copyOf, withoutStored } from '../../../shared/definition/definition-draft';
import { PageLoading } from '../../../shared/loading/page-loading';
import { PageHead } from '../../../shared/ui/page-head';
import { PageProblem } from '../../../shared/ui/page-problem';
import { Trail } from '../../../shared/ui/trail';
import { HEARTBEAT, type HeartbeatDraft } from './heartbeat-draft';
import { HeartbeatForm } from './heartbeat-form';
import { MONITOR, type MonitorDraft, newMonitorDraft } from './monitor-draft';
import { MonitorForm } from './monitor-form';

const LIST = { to: '/monitors', label: 'Monitors' };

export function NewMonitorPage() {
  const [{ from = '', type = '' }, setSearch] = useSearchState();
  const original = useRead<Monitor>(`/v1/monitors/${from}`, { enabled: from !== '' });
  const { data, error } = original;
  if (from !== '' && data === undefined)
    return error === null ? (
      <PageLoading />
    ) : (
      <PageProblem problem={error} what="Monitor" trail={[LIST]} />
    );
  const isOfHeartbeat = (data?.type ?? type) === 'heartbeat';
  return (
    <>
      <Trail pages={[LIST]} />
      <PageHead title="New monitor" />
      {data === undefined && (
        <SegmentedControl
          mb="md"
          aria-label="Type"
          value={isOfHeartbeat ? 'heartbeat' : 'http'}
          onChange={(value) => setSearch({ type: value === 'http' ? undefined : value })}
          data={[
            { value: 'http', label: 'HTTP request' },
            { value: 'heartbeat', label: 'Heartbeat of a job' },
          ]}
        />
      )}
      {isOfHeartbeat ? (
        <HeartbeatForm initial={heartbeatDraftFrom(data)} saved={null} />
      ) : (
        <MonitorForm initial={draftFrom(data)} saved={null} />
      )}
    </>
  );
}

function draftFrom(original: Monitor | undefined): MonitorDraft {
  if (original?.type !== 'http') return newMonitorDraft();
  return withoutStored(MONITOR.toDraft(copyOf(original)));
}

function heartbeatDraftFrom(original: Monitor | undefined): HeartbeatDraft {
  return HEARTBEAT.toDraft(original?.type === 'heartbeat' ? copyOf(original) : {});
}
