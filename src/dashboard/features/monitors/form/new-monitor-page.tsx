/** A new monitor, empty or as a copy of another one. */
import type { Monitor } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { NEW_ALERTS } from '../../../shared/form/alerts-field';
import { Loading } from '../../../shared/ui/loading';
import { PageHead } from '../../../shared/ui/page-head';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { duplicateOf, newMonitorDraft } from './monitor-draft';
import { MonitorForm } from './monitor-form';

export function NewMonitorPage() {
  const [{ from = '' }] = useSearchState();
  const original = useRead<Monitor>(`/v1/monitors/${from}`, { enabled: from !== '' });
  if (from !== '' && original.error !== null) return <ProblemNote problem={original.error} />;
  if (from !== '' && original.data === undefined) return <Loading />;
  const draft =
    original.data === undefined ? newMonitorDraft(NEW_ALERTS) : duplicateOf(original.data);
  return (
    <>
      <PageHead title="New monitor" />
      <MonitorForm initial={draft} saved={null} />
    </>
  );
}
