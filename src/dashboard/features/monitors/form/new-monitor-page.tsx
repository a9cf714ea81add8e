/** Creates a monitor, from scratch or as a copy of an existing monitor. */
import { SegmentedControl, Select } from '@mantine/core';
import { NETWORK_KINDS } from '../../../../contracts/kinds';
import { KIND_SHAPES } from '../../../../kinds/shapes';
import type { Monitor } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { copyDefinition, withoutStored } from '../../../shared/definition/definition-draft';
import { PageLoading } from '../../../shared/loading/page-loading';
import { PageHead } from '../../../shared/ui/page-head';
import { PageProblem } from '../../../shared/ui/page-problem';
import { Trail } from '../../../shared/ui/trail';
import { WritersOnly } from '../../../shared/ui/writers-only';
import { HEARTBEAT, type HeartbeatDraft } from './heartbeat-draft';
import { HeartbeatForm } from './heartbeat-form';
import { kindDefinition } from './kind-draft';
import { KindForm } from './kind-form';
import { MONITOR, type MonitorDraft, newMonitorDraft } from './monitor-draft';
import { MonitorForm } from './monitor-form';
import classes from './new-monitor.module.css';
import { MONITOR_WRITERS } from './strings';

export function NewMonitorPage() {
  const [{ from = '', type = '' }, setSearch] = useSearchState();
  const original = useRead<Monitor>(`/v1/monitors/${from}`, { enabled: from !== '' });
  const { data, error } = original;
  if (from !== '' && data === undefined)
    return error === null ? (
      <PageLoading />
    ) : (
      <PageProblem problem={error} what="Monitor" trail={[MONITOR_WRITERS.list]} />
    );
  const chosen = data?.type ?? TYPES.find(({ value }) => value === type)?.value ?? 'http';
  return (
    <WritersOnly {...MONITOR_WRITERS}>
      <Trail pages={[MONITOR_WRITERS.list]} />
      <PageHead title="New monitor" />
      {data === undefined && (
        <TypeField
          value={chosen}
          onChange={(value) => setSearch({ type: value === 'http' ? undefined : value })}
        />
      )}
      <NewForm key={chosen} type={chosen} original={data} />
    </WritersOnly>
  );
}

const TYPES: { readonly value: Monitor['type']; readonly label: string }[] = [
  { value: 'http', label: 'HTTP request' },
  ...NETWORK_KINDS.map((value) => ({ value, label: KIND_SHAPES[value].words.label })),
  { value: 'heartbeat', label: 'Heartbeat (cron job)' },
];

interface TypeFieldProps {
  readonly value: Monitor['type'];
  readonly onChange: (value: string) => void;
}

/** The type of the monitor. On narrow screens, one line shows the chosen type. */
function TypeField({ value, onChange }: TypeFieldProps) {
  return (
    <>
      <Select
        hiddenFrom="sm"
        mb="md"
        label="Type"
        data={TYPES}
        value={value}
        onChange={(next) => next !== null && onChange(next)}
        allowDeselect={false}
        comboboxProps={{ keepMounted: false }}
      />
      <SegmentedControl
        visibleFrom="sm"
        mb="md"
        aria-label="Type"
        value={value}
        onChange={onChange}
        data={TYPES}
        className={classes['kinds'] ?? ''}
      />
    </>
  );
}

interface NewFormProps {
  readonly type: Monitor['type'];
  readonly original: Monitor | undefined;
}

function NewForm({ type, original }: NewFormProps) {
  if (type === 'heartbeat')
    return <HeartbeatForm initial={heartbeatDraftFrom(original)} saved={null} />;
  if (type === 'http') return <MonitorForm initial={draftFrom(original)} saved={null} />;
  const initial = kindDefinition(type).toDraft(
    original === undefined ? {} : copyDefinition(original),
  );
  return <KindForm type={type} initial={withoutStored(initial)} saved={null} />;
}

function draftFrom(original: Monitor | undefined): MonitorDraft {
  if (original?.type !== 'http') return newMonitorDraft();
  return withoutStored(MONITOR.toDraft(copyDefinition(original)));
}

function heartbeatDraftFrom(original: Monitor | undefined): HeartbeatDraft {
  return HEARTBEAT.toDraft(original?.type === 'heartbeat' ? copyDefinition(original) : {});
}
