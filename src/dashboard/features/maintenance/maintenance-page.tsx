/** Maintenance windows: active, scheduled and past ones. */
import { Button, Group, NumberInput, Text } from '@mantine/core';
import { IconPlus, IconTool } from '@tabler/icons-react';
import { useState } from 'react';
import { MAINTENANCE_TOUCHES } from '../../shared/actions/use-end-maintenance';
import { withQuery } from '../../shared/data/api';
import type { MaintenanceWindow, Page } from '../../shared/data/api-types';
import { useChange, useRead } from '../../shared/data/queries';
import { useSearchState } from '../../shared/data/search';
import { useCan } from '../../shared/data/session';
import { FormDialog } from '../../shared/form/form-dialog';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { faultAt } from '../../shared/text/faults';
import { CardList } from '../../shared/ui/card-list';
import { EmptyState } from '../../shared/ui/empty-state';
import { notify } from '../../shared/ui/notify';
import { PageHead } from '../../shared/ui/page-head';
import { Pager } from '../../shared/ui/pager';
import classes from './maintenance.module.css';
import { TEXT } from './strings';
import { TargetField, useTargetRefusal } from './target-field';
import { WindowCard } from './window-card';
import { buildTarget, type TargetDraft } from './window-draft';
import { MINUTES_MAX, ModeField, WindowForm } from './window-form';

/** The preset length of maintenance that starts at once. */
const MINUTES = 30;

function NowForm({ onClose }: { readonly onClose: () => void }) {
  const [minutes, setMinutes] = useState(MINUTES);
  const [mode, setMode] = useState<MaintenanceWindow['mode']>('mute');
  const [target, setTarget] = useState<TargetDraft | null>(null);
  const { isMissing, refuseNothing } = useTargetRefusal(target);
  const { mutate, isPending, error } = useChange<MaintenanceWindow>(MAINTENANCE_TOUCHES);
  const start = (): void => {
    if (!refuseNothing(target)) return;
    mutate(
      {
        method: 'POST',
        path: '/v1/maintenance-windows/now',
        body: { minutes, mode, target: buildTarget(target) },
      },
      {
        onSuccess: () => {
          notify('Maintenance started.');
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title="Maintenance now"
      problem={error}
      action="Start maintenance"
      isPending={isPending}
      onSubmit={start}
      onClose={onClose}
    >
      <NumberInput
        label={TEXT.minutes}
        required
        data-autofocus
        min={1}
        max={MINUTES_MAX}
        allowDecimal={false}
        value={minutes}
        onChange={(count) => setMinutes(Number(count))}
        error={faultAt(error, 'minutes')}
      />
      <ModeField value={mode} onChange={setMode} />
      <TargetField value={target} onChange={setTarget} problem={error} isMissing={isMissing} />
    </FormDialog>
  );
}

const PAGE_SIZE = 100;
/** Interval of polling. Polling is needed, because windows begin and end without any user action. */
const READ_AGAIN_MS = 30_000;
const STATE_ORDER: readonly MaintenanceWindow['state'][] = ['active', 'scheduled', 'over'];

export function MaintenancePage() {
  const [search] = useSearchState();
  const { data, error } = useRead<Page<MaintenanceWindow>>(
    withQuery('/v1/maintenance-windows', { limit: PAGE_SIZE, cursor: search['cursor'] }),
    { refetchInterval: READ_AGAIN_MS },
  );
  const mayWrite = useCan('write');
  const [edited, setEdited] = useState<MaintenanceWindow | 'new' | null>(null);
  const [isStarting, setIsStarting] = useState(false);
  const actions = mayWrite && (
    <>
      <Button onClick={() => setEdited('new')} leftSection={<IconPlus size={16} aria-hidden />}>
        {TEXT.add}
      </Button>
      <Button
        variant="default"
        onClick={() => setIsStarting(true)}
        leftSection={<IconTool size={16} aria-hidden />}
      >
        {TEXT.now}
      </Button>
    </>
  );
  const windows = inOrder(data?.data ?? []);
  const isWhole = search['cursor'] === undefined && data?.nextCursor === null;
  return (
    <>
      <PageHead
        title="Maintenance"
        about={
          <Text c="dimmed">
            Scheduled work: no alerts are sent, and the time does not count toward uptime.
          </Text>
        }
      >
        {windows.length > 0 && actions}
      </PageHead>
      <Unread of={{ data, error }} shape={<PageLoading isBelowHead />} />
      {data?.data.length === 0 && (
        <EmptyState
          title="No maintenance scheduled"
          text={
            mayWrite
              ? 'Schedule a window before a deployment, or start one now. You choose its checks.'
              : 'Windows scheduled by an editor appear here.'
          }
          action={
            <Group gap="xs" justify="center">
              {actions}
            </Group>
          }
        />
      )}
      <WindowLists windows={windows} isWhole={isWhole} onEdit={setEdited} />
      <Pager nextCursor={data?.nextCursor ?? null} />
      {edited !== null && (
        <WindowForm window={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      {isStarting && <NowForm onClose={() => setIsStarting(false)} />}
    </>
  );
}

interface WindowListsProps {
  readonly windows: readonly MaintenanceWindow[];
  /** True if there are no other pages of windows. */
  readonly isWhole: boolean;
  readonly onEdit: (window: MaintenanceWindow) => void;
}

/** Lists the windows. Past windows are below the others, in a closed disclosure. */
function WindowLists({ windows, isWhole, onEdit }: WindowListsProps) {
  const past = windows.filter(({ state }) => state === 'over');
  const others = windows.filter(({ state }) => state !== 'over');
  const toCard = (window: MaintenanceWindow) => (
    <WindowCard key={window.id} window={window} onEdit={() => onEdit(window)} />
  );
  return (
    <>
      {isWhole && past.length > 0 && others.length === 0 && <Text>{TEXT.noneAhead}</Text>}
      <CardList>{others.map(toCard)}</CardList>
      {past.length > 0 && (
        <details className={classes['past']}>
          <summary>{TEXT.past(past.length)}</summary>
          <CardList label={TEXT.past(past.length)}>{past.map(toCard)}</CardList>
        </details>
      )}
    </>
  );
}

/**
 * Sorts by state: active, scheduled, over. Within a state, the window with the earliest next occurrence comes first.
 */
function inOrder(windows: readonly MaintenanceWindow[]): readonly MaintenanceWindow[] {
  const findNext = ({ nextOccurrences }: MaintenanceWindow): string =>
    nextOccurrences[0]?.startsAt ?? '';
  return [...windows].sort(
    (a, b) =>
      STATE_ORDER.indexOf(a.state) - STATE_ORDER.indexOf(b.state) ||
      findNext(a).localeCompare(findNext(b)),
  );
}
