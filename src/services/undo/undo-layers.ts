/** Undoes a change of an environment or of the account's variables: stores the earlier content as a new version. */
import type { JsonObject } from '../../contracts/operations/rollouts';
import type { Rollout } from '../../models/rollouts/rollouts';
import { canonicalJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import { accountVariablesBody, environmentBody } from '../../schemas/environments/environment';
import { readNumber, readRecord } from '../../schemas/loose';
import { changeAccountVariables, findAccountVariables } from '../environments/account-variables';
import { buildEnvironmentBody, changeEnvironment } from '../environments/environments';
import { readChange } from '../lists/read-change';
import type { Dependencies } from '../ports/dependencies';
import { findStaleUsers, VARIABLE_USERS } from '../resources/layer-users';
import { toRecord } from '../resources/service-fields';

type Undone = Pick<Rollout, 'accountId' | 'undo'>;

export interface UndoneLayer {
  /** Ids of all users that must follow. */
  readonly ids: readonly string[];
  /** To be called after the rollout of the undo was stored. */
  readonly note: (rolloutId: string) => Promise<void>;
}

/**
 * Throws `not_undoable` if the environment has changed since. After a crash, a repeated call continues.
 */
export async function undoEnvironment(
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
export async function undoAccountVariables(
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
  return canonicalJson(a) === canonicalJson(b);
}

function listIds(users: readonly { readonly id: string }[]): readonly string[] {
  return users.map(({ id }) => id);
}

function refuse(message: string): AppError {
  return new AppError('not_undoable', message);
}
