/** Bulk actions on the selected checks; the outcome is shown as one sentence. */
import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { pauseBody } from '../../shared/actions/pause-body';
import { PauseItems } from '../../shared/actions/pause-items';
import { ACTION_TEXT } from '../../shared/actions/words';
import { confirm } from '../../shared/dialog/confirm';
import { loadWhenReached } from '../../shared/loading/load-when-reached';
import { SmallButton } from '../../shared/ui/small-button';
import type { Unaddressed } from './bulk';
import { type Asked, BulkQuestion } from './bulk-question';
import classes from './checks.module.css';
import { useBulk } from './use-bulk';
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
