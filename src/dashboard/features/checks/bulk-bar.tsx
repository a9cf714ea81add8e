/** What can be done to the selected monitors at once; the outcome is told in one sentence. */
import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { pauseBody } from '../../shared/actions/pause-body';
import { PauseItems } from '../../shared/actions/pause-items';
import { useAct } from '../../shared/actions/use-act';
import { ACTION_TEXT } from '../../shared/actions/words';
import type { BulkOutcome } from '../../shared/data/api-types';
import { confirm } from '../../shared/ui/confirm';
import { bulkSentence } from './bulk';
import { type Asked, BulkQuestion } from './bulk-question';
import classes from './checks.module.css';
import type { Selection } from './use-selection';

type Act = (action: Readonly<Record<string, unknown>>, done: string) => void;

export function BulkBar({ selection }: { readonly selection: Selection }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const change = useAct<BulkOutcome>([
    '/v1/monitors',
    '/v1/checks',
    '/v1/overview',
    '/v1/incidents',
  ]);
  const ids = [...selection.ids];
  const act: Act = (action, done) => {
    change.act(
      { method: 'POST', path: '/v1/monitors/bulk', body: { ids, ...action } },
      {
        done: (outcome) => bulkSentence(outcome, done),
        onDone: () => {
          setAsked(null);
          selection.set([]);
        },
      },
    );
  };
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
          {ids.length} selected
        </Text>
        <BulkButtons count={ids.length} onAct={act} onAsk={setAsked} />
        <Button size="xs" variant="subtle" onClick={() => selection.set([])}>
          Select none
        </Button>
      </Group>
      {asked !== null && (
        <BulkQuestion
          asked={asked}
          isSending={change.isPending}
          onSubmit={act}
          onClose={() => setAsked(null)}
        />
      )}
    </Paper>
  );
}

interface BulkButtonsProps {
  readonly count: number;
  readonly onAct: Act;
  readonly onAsk: (asked: Asked) => void;
}

function BulkButtons({ count, onAct, onAsk }: BulkButtonsProps) {
  const askDelete = (): void =>
    confirm({
      title: count === 1 ? 'Delete 1 monitor?' : `Delete ${count} monitors?`,
      text: 'Their results and history will be deleted too. This can’t be undone.',
      action: ACTION_TEXT.delete,
      onConfirm: () => onAct({ action: 'delete' }, 'deleted'),
    });
  return (
    <>
      <Menu withinPortal={false}>
        <Menu.Target>
          <Button size="xs" variant="default">
            {ACTION_TEXT.pause}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <PauseItems
            onPause={(minutes) => onAct({ action: 'pause', ...pauseBody(minutes) }, 'paused')}
          />
        </Menu.Dropdown>
      </Menu>
      <Button size="xs" variant="default" onClick={() => onAct({ action: 'resume' }, 'resumed')}>
        {ACTION_TEXT.resume}
      </Button>
      <Button size="xs" variant="default" onClick={() => onAsk('tag')}>
        Tags
      </Button>
      <Button size="xs" variant="default" onClick={() => onAsk('group')}>
        Group
      </Button>
      <Button size="xs" color="red" variant="outline" onClick={askDelete}>
        {ACTION_TEXT.delete}
      </Button>
    </>
  );
}
