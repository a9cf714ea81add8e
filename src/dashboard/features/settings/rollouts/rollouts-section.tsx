/**
 * Lists recent rollouts, which change many checks at once. Each entry shows the change, the person who started it, the
 * progress, and an undo button.
 */
import { Button, Text } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { withQuery } from '../../../shared/data/api';
import type { Page, Rollout } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { useCan } from '../../../shared/data/session';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { RolloutDialog } from '../../../shared/rollouts/rollout-dialog';
import {
  describeProgress,
  describeRollout,
  isUndoable,
} from '../../../shared/rollouts/rollout-words';
import { useUndoRollout } from '../../../shared/rollouts/use-rollout';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem, CardList } from '../../../shared/ui/card-list';
import { EmptyState } from '../../../shared/ui/empty-state';
import { Pager } from '../../../shared/ui/pager';
import { SmallButton } from '../../../shared/ui/small-button';

const PAGE_SIZE = 50;
/** The list is polled only while a rollout runs. */
const READ_AGAIN_MS = 2_000;

export function RolloutsSection() {
  const [search] = useSearchState();
  const [shownId, setShownId] = useState<string | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const mayWrite = useCan('write');
  const { data, error } = useRead<Page<Rollout>>(
    withQuery('/v1/rollouts', { limit: PAGE_SIZE, cursor: search['cursor'] }),
    { refetchInterval: isOpen ? READ_AGAIN_MS : false },
  );
  const hasOpen = data?.data.some(({ state }) => state !== 'ended') ?? false;
  if (hasOpen !== isOpen) setIsOpen(hasOpen);
  return (
    <>
      <Text c="dimmed" mb="md">
        Edits that change many checks at once. You can undo each for 24 hours after it ends.
      </Text>
      <Unread of={{ data, error }} shape={<PageLoading isBelowHead />} />
      {data?.data.length === 0 && (
        <EmptyState
          icon={<IconListCheck size={32} stroke={1.5} color="var(--kw-quiet)" aria-hidden />}
          title="No rollouts yet"
          text="A rollout starts when you edit several checks together, or when you change a profile, an environment or the account variables that checks use."
          action={
            mayWrite && (
              <Button component={Link} to="/checks" variant="default">
                Select checks to edit
              </Button>
            )
          }
        />
      )}
      {data !== undefined && data.data.length > 0 && (
        <CardList label="Rollouts">
          {data.data.map((rollout) => (
            <RolloutCard key={rollout.id} rollout={rollout} onShow={setShownId} />
          ))}
        </CardList>
      )}
      <Pager nextCursor={data?.nextCursor ?? null} />
      {shownId !== null && <RolloutDialog id={shownId} onClose={() => setShownId(null)} />}
    </>
  );
}

interface RolloutCardProps {
  readonly rollout: Rollout;
  readonly onShow: (id: string) => void;
}

function RolloutCard({ rollout, onShow }: RolloutCardProps) {
  const mayWrite = useCan('write');
  const { undo, isPending } = useUndoRollout((started) => onShow(started.id));
  const text = describeRollout(rollout);
  return (
    <CardItem
      name={text}
      about={
        <>
          {describeProgress(rollout)} · {rollout.actor.name} ·{' '}
          <RelativeTime at={rollout.createdAt} />
          {rollout.undoneBy !== null && ' · undone'}
        </>
      }
      actions={
        <>
          <SmallButton onClick={() => onShow(rollout.id)} aria-label={`Details of ${text}`}>
            Details
          </SmallButton>
          {mayWrite && isUndoable(rollout, Date.now()) && (
            <SmallButton
              loading={isPending}
              onClick={() => undo(rollout.id)}
              aria-label={`Undo ${text}`}
            >
              Undo
            </SmallButton>
          )}
        </>
      }
    />
  );
}
