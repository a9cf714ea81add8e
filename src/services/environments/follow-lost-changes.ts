/**
 * Starts rollouts that are missing because a crash followed a change of an environment or of account variables.
 * Resources that already have the current values stay unchanged.
 */
import type { HousekeepingPass } from '../../contracts/housekeeping';
import type { AuditActor } from '../../models/accounts/audit';
import type { AccountVariables } from '../../models/environments/account-variables';
import type { Environment } from '../../models/environments/environments';
import type { Rollout } from '../../models/rollouts/rollouts';
import { isSameJson } from '../../platform/canonical-json';
import { readBatches } from '../lists/read-batches';
import type { TryAccount } from '../lists/try-accounts';
import type { Dependencies } from '../ports/dependencies';
import { VARIABLE_USERS } from '../resources/layer-users';
import { type Recomposition, recomposeUsers } from './recompose-users';

type Needs = Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'newId'>;

/**
 * A rollout counts as missing only this long after its change. Before that, the request that made the change may still
 * start the rollout.
 */
const OWN_ROLLOUT_WITHIN_MS = 60_000;
/** How much the periods of two successive passes overlap. The overlap ensures that no change is overlooked. */
const OVERLAP_MS = 60_000;
/** How far the first pass looks back. */
const FIRST_PASS_MS = 24 * 3_600_000;

/** Maximum number of resources that are read. Accounts have far fewer. */
const ITEMS_MAX = 100_000;

const SYSTEM: AuditActor = { type: 'system', id: 'housekeeping', name: 'housekeeping' };

interface Change extends Pick<Recomposition, 'accountId' | 'cause' | 'users'> {
  readonly note: (rolloutId: string) => Promise<void>;
}

/**
 * Starts missing rollouts and returns their number. Examines only changes since the last pass. Otherwise, resources
 * that cannot be changed would be tried again in every pass. Safe to repeat.
 */
export async function followLostChanges(
  needs: Needs,
  { beganAtMs, sinceMs }: HousekeepingPass,
  tryAccount: TryAccount,
): Promise<number> {
  const fromMs = (sinceMs ?? beganAtMs - FIRST_PASS_MS) - OWN_ROLLOUT_WITHIN_MS - OVERLAP_MS;
  const span = { fromMs, toMs: beganAtMs - OWN_ROLLOUT_WITHIN_MS };
  let followed = 0;
  const follow = async (changes: readonly Change[]): Promise<void> => {
    for (const change of changes)
      await tryAccount(change.accountId, async () => {
        if (await followLostChange(needs, change)) followed += 1;
      });
  };
  const { environments, accountVariables } = needs.stores;
  await readBatches(
    (batch) => environments.listChanged(span, batch),
    (changed: readonly Environment[]) =>
      follow(changed.map((one) => readEnvironmentChange(needs, one))),
  );
  await readBatches(
    async (batch) =>
      (await accountVariables.listChanged(span, batch)).map((one) => ({
        ...one,
        id: one.accountId,
      })),
    (changed: readonly (AccountVariables & { readonly id: string })[]) =>
      follow(changed.map((one) => readVariablesChange(needs, one))),
  );
  return followed;
}

function readEnvironmentChange(
  { stores: { environments } }: Needs,
  { id, accountId, key, version }: Environment,
): Change {
  return {
    accountId,
    cause: { type: 'environment', key },
    users: { environment: key },
    note: (rolloutId) => environments.noteRollout(accountId, id, { version, rolloutId }),
  };
}

function readVariablesChange(
  { stores: { accountVariables } }: Needs,
  { accountId, version }: AccountVariables,
): Change {
  return {
    accountId,
    cause: { type: 'variables' },
    users: VARIABLE_USERS,
    note: (rolloutId) => accountVariables.noteRollout(accountId, { version, rolloutId }),
  };
}

/**
 * Starts the rollout of one change if it is missing and a resource still needs it. Returns true if a rollout was
 * started.
 */
async function followLostChange(needs: Needs, { note, ...change }: Change): Promise<boolean> {
  const { accountId, cause } = change;
  const open = await needs.stores.rollouts.listOpen(accountId);
  if (open.some((rollout) => isSameJson(rollout.cause, cause))) return false;
  const except = await listComposedSoon(needs, open);
  const rolloutId = await recomposeUsers(needs, { ...change, actor: SYSTEM, except });
  if (rolloutId !== null) await note(rolloutId);
  return rolloutId !== null;
}

/** Lists the ids of resources that an unfinished rollout will update anyway. They need no further rollout. */
async function listComposedSoon(
  { stores: { rolloutItems } }: Needs,
  open: readonly Rollout[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { id: rolloutId, accountId, change } of open) {
    if (change.type !== 'recompose') continue;
    const name = { accountId, rolloutId };
    for (const { resourceId } of await rolloutItems.listPending(name, ITEMS_MAX))
      ids.add(resourceId);
  }
  return ids;
}
