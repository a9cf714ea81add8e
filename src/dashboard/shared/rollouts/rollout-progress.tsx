/** Shows a rollout that runs or has ended: its progress, what was not changed, and a button to undo it. */
import { Alert, Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { RolloutWithItems } from '../data/api-types';
import { useCan } from '../data/session';
import { PageLoading } from '../loading/page-loading';
import { describeProgress, isUndoable } from './rollout-words';
import { useRollout, useUndoRollout } from './use-rollout';

/** Shows the progress. Once an undo has started, shows the progress of the undo instead. */
export function RolloutProgress({ id }: { readonly id: string }) {
  const mayWrite = useCan('write');
  const [shownId, setShownId] = useState(id);
  const rollout = useRollout(shownId);
  const { undo, isPending } = useUndoRollout((started) => setShownId(started.id));
  if (rollout === undefined) return <PageLoading isBelowHead />;
  const { progress, state, cause, items } = rollout;
  const left = items.data.filter(({ reason }) => reason !== null);
  const percent = progress.total === 0 ? 100 : (1 - progress.pending / progress.total) * 100;
  return (
    <Stack gap="sm">
      {cause.type === 'undo' && <Text fw={600}>Undo</Text>}
      <Text role="status">{describeProgress(rollout)}</Text>
      {state !== 'ended' && (
        <Progress value={percent} aria-label="Progress of the rollout" animated />
      )}
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {nameChecks(items.data, progress.total)}
      </Text>
      {left.length > 0 && (
        <Alert color="yellow" variant="outline" title="Not changed">
          <List size="sm">
            {left.map(({ id: checkId, name, reason }) => (
              <List.Item key={checkId}>
                <b>{name === '' ? checkId : name}</b>: {reason?.detail}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {mayWrite && isUndoable(rollout, Date.now()) && (
        <Group gap="sm">
          <Button variant="default" loading={isPending} onClick={() => undo(rollout.id)}>
            Undo
          </Button>
          <Text size="sm" c="dimmed">
            Possible for 24 hours.
          </Text>
        </Group>
      )}
    </Stack>
  );
}

const NAMED_MAX = 10;

/** Lists the names, like `Storefront, Search and 3 more`. */
function nameChecks(items: RolloutWithItems['items']['data'], total: number): string {
  const names = items.slice(0, NAMED_MAX).map(({ id, name }) => (name === '' ? id : name));
  const more = total - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
