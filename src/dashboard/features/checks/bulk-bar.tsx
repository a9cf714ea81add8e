/** The bar for actions on all selected checks. The outcome is shown as one sentence. */
import { Button, Group, Menu, Paper, TagsInput, Text, TextInput } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { pauseBody } from '../../shared/actions/pause-body';
import { PauseItems } from '../../shared/actions/pause-items';
import { useAct } from '../../shared/actions/use-act';
import { ACTION_TEXT } from '../../shared/actions/words';
import type { BulkOutcome } from '../../shared/data/api-types';
import { useChecks } from '../../shared/data/checks';
import { confirm } from '../../shared/dialog/confirm';
import { FormDialog } from '../../shared/form/form-dialog';
import { loadWhenReached } from '../../shared/loading/load-when-reached';
import { SmallButton } from '../../shared/ui/small-button';
import type { Unaddressed } from './bulk';
import { BULK_WORDS, type BulkAction, bulkSentence, expectBulk, undoBulk } from './bulk';
import classes from './checks.module.css';
import type { Selection } from './use-selection';

const EditFields = lazy(
  loadWhenReached(async () => ({ default: (await import('./edit/edit-fields')).EditFields })),
);

export function BulkBar({ selection }: { readonly selection: Selection }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isEditing, setIsEditing] = useState(false);
  const { act, isPending } = useBulk(selection, () => setAsked(null));
  return (
    <Paper
      component="section"
      withBorder
      p="xs"
      className={classes['bulk'] ?? ''}
      aria-label="Selection"
    >
      <Group gap="xs">
        <Text size="sm" fw={600} mr="xs" role="status">
          {selection.ids.size} selected
        </Text>
        <BulkButtons
          count={selection.ids.size}
          onAct={act}
          onAsk={setAsked}
          onEdit={() => setIsEditing(true)}
        />
        <Button size="xs" variant="subtle" onClick={() => selection.set([])}>
          Select none
        </Button>
      </Group>
      {asked !== null && (
        <BulkQuestion
          asked={asked}
          isSending={isPending}
          onSubmit={act}
          onClose={() => setAsked(null)}
        />
      )}
      {isEditing && (
        <Suspense>
          <EditFields ids={[...selection.ids]} onClose={() => setIsEditing(false)} />
        </Suspense>
      )}
    </Paper>
  );
}

interface BulkButtonsProps {
  readonly count: number;
  readonly onAct: (action: Unaddressed) => void;
  readonly onAsk: (asked: Asked) => void;
  readonly onEdit: () => void;
}

function BulkButtons({ count, onAct, onAsk, onEdit }: BulkButtonsProps) {
  const askDelete = (): void =>
    confirm({
      title: count === 1 ? 'Delete 1 check?' : `Delete ${count} checks?`,
      text: `${count === 1 ? 'Its' : 'Their'} results and history will be deleted too. This can’t be undone.`,
      action: ACTION_TEXT.delete,
      onConfirm: () => onAct({ action: 'delete' }),
    });
  return (
    <>
      <Menu withinPortal={false}>
        <Menu.Target>
          <SmallButton>{ACTION_TEXT.pause}</SmallButton>
        </Menu.Target>
        <Menu.Dropdown>
          <PauseItems onPause={(minutes) => onAct({ action: 'pause', ...pauseBody(minutes) })} />
        </Menu.Dropdown>
      </Menu>
      <SmallButton onClick={() => onAct({ action: 'resume' })}>{ACTION_TEXT.resume}</SmallButton>
      <SmallButton onClick={() => onAsk('tag')}>Tags</SmallButton>
      <SmallButton onClick={() => onAsk('group')}>Group</SmallButton>
      <SmallButton onClick={onEdit}>Edit fields</SmallButton>
      <SmallButton onClick={askDelete}>{ACTION_TEXT.delete}</SmallButton>
    </>
  );
}

type Asked = 'tag' | 'group';

interface BulkQuestionProps {
  readonly asked: Asked;
  readonly isSending: boolean;
  readonly onSubmit: (action: Unaddressed) => void;
  readonly onClose: () => void;
}

/** The form in which the user enters the tags or the group for the selected checks. */
function BulkQuestion({ asked, isSending, onSubmit, onClose }: BulkQuestionProps) {
  const [group, setGroup] = useState('');
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const submit = (): void => {
    if (asked === 'group') onSubmit({ action: 'group', group: group.trim() || null });
    else onSubmit({ action: 'tag', add, remove });
  };
  return (
    <FormDialog
      title={asked === 'tag' ? 'Tags' : 'Group'}
      isPending={isSending}
      isDisabled={asked === 'tag' && add.length + remove.length === 0}
      onSubmit={submit}
      onClose={onClose}
    >
      {asked === 'group' ? (
        <TextInput
          label="Group"
          description="Use / to nest: shop/eu. Leave empty to group by domain."
          value={group}
          onChange={({ currentTarget }) => setGroup(currentTarget.value)}
          maxLength={100}
          data-autofocus
        />
      ) : (
        <>
          <TagsInput label="Add" value={add} onChange={setAdd} maxTags={20} data-autofocus />
          <TagsInput label="Remove" value={remove} onChange={setRemove} maxTags={20} />
        </>
      )}
    </FormDialog>
  );
}

interface Bulk {
  readonly act: (action: Unaddressed) => void;
  readonly isPending: boolean;
}

/**
 * Runs an action on the selected checks. Offers Undo if a single action restores the previous state. Calls `onSent` and
 * clears the selection as soon as the rows show the new state.
 */
function useBulk(selection: Selection, onSent: () => void): Bulk {
  const change = useAct<BulkOutcome>([
    '/v1/monitors',
    '/v1/scenarios',
    '/v1/checks',
    '/v1/overview',
    '/v1/incidents',
  ]);
  const { checks = [] } = useChecks();
  const chosen = checks.filter(({ id }) => selection.ids.has(id));
  const clear = (): void => {
    onSent();
    selection.set([]);
  };
  const send = (action: BulkAction, isUndo: boolean): void => {
    const expected = expectBulk(action, chosen);
    change.act(
      { method: 'POST', path: '/v1/checks/bulk', body: action },
      {
        expected,
        done: (outcome) => bulkSentence(outcome, BULK_WORDS[action.action]),
        undo: (outcome) => {
          const back = isUndo ? null : undoBulk(action, chosen, outcome);
          return back === null ? undefined : () => send(back, true);
        },
        onDone: expected === undefined ? clear : () => undefined,
      },
    );
    if (expected !== undefined && !isUndo) clear();
  };
  return {
    act: (action) => send({ ...action, ids: [...selection.ids] }, false),
    isPending: change.isPending,
  };
}
