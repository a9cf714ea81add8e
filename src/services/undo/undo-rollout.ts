/** Undoes a rollout within 24 hours of its end, by a second rollout. */
import type { RolloutName } from '../../contracts/operations/rollouts';
import type { RolloutItem } from '../../models/rollouts/rollout-items';
import type { Rollout } from '../../models/rollouts/rollouts';
import { AppError } from '../../platform/errors';
import type { Principal } from '../accounts/principal';
import type { Dependencies } from '../ports/dependencies';
import { findRollout } from '../rollouts/present-rollout';
import { undoProfileRollout } from '../rollouts/profiles';
import { requireRolloutTurn } from '../rollouts/rollout-queue';
import { type RolloutRequest, startRollout } from '../rollouts/start-rollout';
import { type UndoneLayer, undoAccountVariables, undoEnvironment } from './undo-layers';

const PAGE = 500;
const RECOMPOSE = { type: 'recompose' } as const;

/**
 * Starts the rollout that undoes this rollout. Throws `not_undoable` if this rollout has not ended, is already undone,
 * or ended more than 24 hours ago. One of several parallel calls succeeds. After a crash, the next call starts the same
 * rollout.
 */
export async function undoRollout(
  needs: Dependencies,
  { accountId, actor }: Principal,
  id: string,
): Promise<Rollout> {
  const { stores, clock, newId } = needs;
  const rollout = await findRollout(needs, accountId, id);
  requireUndoable(rollout, clock.now());
  await requireRolloutTurn(needs, accountId);
  const undoId = (await stores.rollouts.claimUndo(accountId, id, newId('rollout'))) ?? '';
  const known = await stores.rollouts.find(accountId, undoId);
  if (known !== null) throw refuse(`It is undone by ${undoId} already.`);
  const { note, ...request } = await buildUndo(needs, rollout, { actor, undoId });
  const cause = { type: 'undo', rolloutId: id } as const;
  const started = await startRollout(needs, { ...request, accountId, actor, cause, id: undoId });
  await note?.(undoId);
  return started;
}

function requireUndoable({ state, cause, undoUntilMs }: Rollout, nowMs: number): void {
  if (cause.type === 'undo') throw refuse('An undo cannot be undone. Start a new rollout.');
  if (state !== 'ended') throw refuse('It has not ended yet. Undo it after its end.');
  if (undoUntilMs === null || undoUntilMs <= nowMs)
    throw refuse('It ended more than 24 hours ago. Start a new rollout.');
}

function refuse(message: string): AppError {
  return new AppError('not_undoable', message);
}

async function buildUndo(
  needs: Dependencies,
  rollout: Rollout,
  { actor, undoId }: Pick<Principal, 'actor'> & { readonly undoId: string },
): Promise<Pick<RolloutRequest, 'change' | 'ids'> & Partial<Pick<UndoneLayer, 'note'>>> {
  const { id, accountId, cause } = rollout;
  switch (cause.type) {
    case 'environment':
      return { change: RECOMPOSE, ...(await undoEnvironment(needs, rollout, cause.key)) };
    case 'variables':
      return { change: RECOMPOSE, ...(await undoAccountVariables(needs, rollout)) };
    case 'edit':
      return {
        change: { type: 'restore', rolloutId: id },
        ids: await listChanged(needs.stores, { accountId, rolloutId: id }),
      };
    case 'profile': {
      const undone = { rolloutId: id, key: cause.key, undoId };
      const ids = await undoProfileRollout(needs, { accountId, actor }, undone);
      return { change: RECOMPOSE, ids };
    }
    case 'undo':
      throw refuse('The rollout of an undo cannot be undone.');
  }
}

/** Ids of the resources that the rollout has changed. */
async function listChanged(
  { rolloutItems }: Pick<Dependencies['stores'], 'rolloutItems'>,
  name: RolloutName,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let last: RolloutItem | undefined; ; ) {
    const query = { limit: PAGE, beforeId: last?.id ?? null, state: 'changed' } as const;
    const { items, hasMore } = await rolloutItems.list(name, query);
    ids.push(...items.map(({ resourceId }) => resourceId));
    last = items.at(-1);
    if (!hasMore) return ids;
  }
}
