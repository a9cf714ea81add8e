/**
 * Reads and replaces the variables of an account. Refuses a change after which a monitor or scenario would refer to an
 * unknown variable or a blocked target. If a variable changes, a rollout updates everything that uses it.
 */
import type { AuditActor } from '../../models/accounts/audit';
import type { AccountVariables } from '../../models/environments/account-variables';
import { isSameJson } from '../../platform/canonical-json';
import type { AccountVariablesBody } from '../../schemas/environments/environment';
import type { AccountVariablesResponse } from '../../schemas/responses/environments';
import type { RolloutPlanResponse } from '../../schemas/responses/rollouts';
import type { Principal } from '../accounts/principal';
import { toInstant } from '../lists/instants';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';
import { VARIABLE_USERS } from '../resources/layer-users';
import { toRecord } from '../resources/service-fields';
import { withPlannedLayers } from './planned-layers';
import { followChange, planUsers, previewUsers, withLayerLock } from './recompose-users';

export const ACCOUNT_VARIABLES_READ_ONLY_FIELDS: readonly string[] = [
  'version',
  'rolloutId',
  'updatedAt',
];

const TEMPORAL_PING_WITHIN_MS = 2_000;

/** Returns the variables. For an account without stored variables, the list is empty and has version 0. */
export async function findAccountVariables(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
): Promise<AccountVariables> {
  const none = { accountId, version: 0, variables: [], updatedAtMs: 0 };
  return (await stores.accountVariables.find(accountId)) ?? none;
}

export async function getAccountVariables(
  needs: Pick<Dependencies, 'stores'>,
  accountId: string,
): Promise<AccountVariablesResponse> {
  return presentAccountVariables(await findAccountVariables(needs, accountId));
}

interface VariablesChange {
  readonly body: AccountVariablesBody;
  /** Throws `version_mismatch` for a version that the client did not expect. */
  readonly accept: (version: number) => void;
  readonly managedBy?: string;
  /** Ids of resources that are not checked, because the same request will change or delete them. */
  readonly except?: ReadonlySet<string>;
}

/**
 * Replaces all variables. If a monitor or scenario would become invalid, stores nothing. Instead, throws `in_use` with
 * its name and the paths of its invalid fields.
 */
export async function replaceAccountVariables(
  needs: Dependencies,
  { accountId, actor }: Pick<Principal, 'accountId' | 'actor'>,
  change: VariablesChange,
): Promise<AccountVariablesResponse> {
  const stored = await changeAccountVariables(needs, accountId, change);
  return presentAccountVariables(await followAccountVariables(needs, actor, stored));
}

interface StoredChange {
  readonly before: AccountVariables;
  readonly after: AccountVariables;
}

/** Starts the rollout of a stored change. Returns the variables with the id of the rollout. */
export async function followAccountVariables(
  needs: Dependencies,
  actor: AuditActor,
  { before, after }: StoredChange,
): Promise<AccountVariables> {
  if (isSameJson(before.variables, after.variables)) return after;
  const { accountId, version } = after;
  const rolloutId = await followChange(needs, {
    accountId,
    actor,
    cause: { type: 'variables' },
    users: VARIABLE_USERS,
    undo: { version, before: { variables: toRecord(before.variables) } },
    note: (started) =>
      needs.stores.accountVariables.noteRollout(accountId, { version, rolloutId: started }),
  });
  return rolloutId === null ? after : { ...after, rolloutId };
}

/** Like replaceAccountVariables, but starts no rollout. */
export async function changeAccountVariables(
  needs: Dependencies,
  accountId: string,
  { body, accept, managedBy, except }: VariablesChange,
): Promise<StoredChange> {
  // Temporal is checked first. Without Temporal, the variables would be stored but no rollout could follow.
  await needs.gateway.ping(TEMPORAL_PING_WITHIN_MS);
  const attempt = async () => {
    const before = await findAccountVariables(needs, accountId);
    accept(before.version);
    const changed = withOwner(
      await planAccountVariables(needs, { before, body, except }),
      managedBy,
    );
    if (isSameJson(changed, before)) return { before, after: before };
    const next = { ...changed, version: before.version + 1, updatedAtMs: needs.clock.now() };
    const isWritten = await needs.stores.accountVariables.replace(accountId, next, before.version);
    return isWritten ? { before, after: next } : OVERTAKEN;
  };
  return withOptimisticRetry(needs, () => withLayerLock(needs, accountId, attempt));
}

/** Plans how the change would affect the resources that use account variables. Stores nothing. */
export async function previewAccountVariables(
  needs: Dependencies,
  accountId: string,
  { body, accept }: Pick<VariablesChange, 'body' | 'accept'>,
): Promise<{ readonly stored: AccountVariablesResponse; readonly plan: RolloutPlanResponse }> {
  const before = await findAccountVariables(needs, accountId);
  accept(before.version);
  const account = { ...before, variables: body.variables };
  const planned = withPlannedLayers(needs, { account });
  return {
    stored: presentAccountVariables(before),
    plan: await previewUsers(planned, { accountId, users: VARIABLE_USERS }),
  };
}

interface PlannedChange extends Pick<VariablesChange, 'body'> {
  readonly before: AccountVariables;
  readonly except?: ReadonlySet<string> | undefined;
}

/** Returns the variables to store, still with the old version. Throws `in_use` like replaceAccountVariables. */
export async function planAccountVariables(
  needs: Dependencies,
  { before, body, except }: PlannedChange,
): Promise<AccountVariables> {
  if (isSameJson(body.variables, before.variables)) return before;
  const { rolloutId: _earlier, ...kept } = before;
  const changed = { ...kept, variables: body.variables };
  const planned = withPlannedLayers(needs, { account: changed });
  await planUsers(planned, { accountId: before.accountId, users: VARIABLE_USERS, except });
  return changed;
}

/** Adds the name of the set (`keepwatch apply`) that manages the variables. An empty list is not managed by any set. */
function withOwner(
  { managedBy: before, ...next }: AccountVariables,
  managedBy: string | undefined = before,
): AccountVariables {
  return next.variables.length === 0 || managedBy === undefined ? next : { ...next, managedBy };
}

function presentAccountVariables({
  version,
  variables,
  rolloutId,
  updatedAtMs,
}: AccountVariables): AccountVariablesResponse {
  const updatedAt = version === 0 ? null : toInstant(updatedAtMs);
  return { version, variables: toRecord(variables), rolloutId: rolloutId ?? null, updatedAt };
}
