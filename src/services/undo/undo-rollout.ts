/**
 * Undoes a rollout by starting a second rollout. This is possible within 24 hours after the end of the first rollout.
 */
import type { JsonObject, RolloutName } from '../../contracts/operations/rollouts';
import type { RolloutItem } from '../../models/rollouts/rollout-items';
import type { Rollout } from '../../models/rollouts/rollouts';
import { isSameJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import { accountVariablesBody, environmentBody } from '../../schemas/environments/environment';
import { readNumber, readRecord } from '../../schemas/loose';
import type { Principal } from '../accounts/principal';
import { changeAccountVariables, findAccountVariables } from '../environments/account-variables';
import { buildEnvironmentBody, changeEnvironment } from '../environments/environments';
import { readChange } from '../lists/read-change';
import type { Dependencies } from '../ports/dependencies';
import { findStaleUsers, VARIABLE_USERS } from '../resources/layer-users';
import { toRecord } from '../resources/service-fields';
import { findRollout } from '../rollouts/present-rollout';
import { undoProfileRollout } from '../rollouts/profiles';
import { requireRolloutTurn } from '../rollouts/rollout-queue';
import { type RolloutRequest, startRollout } from '../rollouts/start-rollout';

const PAGE = 500;
const RECOMPOSE = { type: 'recompose' } as const;

/**
 * Starts the rollout that undoes the given rollout. Throws `not_undoable` if the given rollout is itself an undo, has
 * not ended, is already undone, or ended more than 24 hours ago. Only one of several parallel calls succeeds. After a
 * crash, the next call starts the same rollout.
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

/** Returns the ids of the resources that the rollout has changed. */
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

type Undone = Pick<Rollout, 'accountId' | 'undo'>;

interface UndoneLayer {
  /** Ids of all resources that use the environment or the variables and must therefore change with them. */
  readonly ids: readonly string[];
  /** Stores the id of the rollout that undoes the change. Must be called after that rollout was stored. */
  readonly note: (rolloutId: string) => Promise<void>;
}

/**
 * Undoes the change that a rollout made to an environment. Throws `not_undoable` if the environment has changed since
 * the rollout. After a crash, a repeated call continues.
 */
async function undoEnvironment(
  needs: Dependencies,
  { accountId, undo }: Undone,
  key: string,
): Promise<UndoneLayer> {
  const { environments } = needs.stores;
  let found = await environments.findByKey(accountId, key);
  if (found === null) throw refuse('The environment does not exist any more.');
  const { version, before } = readUndo(undo);
  if (!isEqual(before, buildEnvironmentBody(found))) {
    const body = readChange(environmentBody, { sent: before, stored: before });
    const accept = requireVersion(version);
    found = (await changeEnvironment(needs, { accountId, id: found.id, body, accept })).after;
  }
  const { id, version: current } = found;
  return {
    ids: listIds(await findStaleUsers(needs, accountId, { environment: key })),
    note: (rolloutId) => environments.noteRollout(accountId, id, { version: current, rolloutId }),
  };
}

/** Like undoEnvironment, for the account's variables. */
async function undoAccountVariables(
  needs: Dependencies,
  { accountId, undo }: Undone,
): Promise<UndoneLayer> {
  const { accountVariables } = needs.stores;
  let found = await findAccountVariables(needs, accountId);
  const { version, before } = readUndo(undo);
  if (!isEqual(before, { variables: toRecord(found.variables) })) {
    const body = readChange(accountVariablesBody, { sent: before, stored: before });
    const change = { body, accept: requireVersion(version) };
    found = (await changeAccountVariables(needs, accountId, change)).after;
  }
  const { version: current } = found;
  return {
    ids: listIds(await findStaleUsers(needs, accountId, VARIABLE_USERS)),
    note: (rolloutId) => accountVariables.noteRollout(accountId, { version: current, rolloutId }),
  };
}

function readUndo(undo: JsonObject | null): { readonly version: number; readonly before: object } {
  const version = readNumber(undo?.['version'], 0);
  if (undo === null || version === null)
    throw refuse('It followed an applied set. Apply the set before it again.');
  return { version, before: readRecord(undo['before']) };
}

function requireVersion(version: number): (stored: number) => void {
  return (stored) => {
    if (stored !== version) throw refuse('The values have been changed since.');
  };
}

function isEqual(a: object, b: object): boolean {
  return isSameJson(a, b);
}

function listIds(users: readonly { readonly id: string }[]): readonly string[] {
  return users.map(({ id }) => id);
}
