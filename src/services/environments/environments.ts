/**
 * Creates, changes and deletes environments. Refuses a change that would leave a monitor or scenario with an unknown
 * variable or a blocked target. Otherwise, a rollout updates everything that uses the environment.
 */
import type { AuditActor } from '../../models/accounts/audit';
import type { Environment } from '../../models/environments/environments';
import { canonicalJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import type { EnvironmentBody } from '../../schemas/environments/environment';
import type { EnvironmentResponse } from '../../schemas/responses/environments';
import type { RolloutPlanResponse } from '../../schemas/responses/rollouts';
import type { Principal } from '../accounts/principal';
import { refuseProblems } from '../lists/field-problems';
import {
  changeObject,
  findObject,
  newObject,
  type ObjectChange,
  type ObjectKind,
  presentObject,
  removeObject,
  storeObject,
} from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { findUsers } from '../resources/layer-users';
import { toRecord } from '../resources/service-fields';
import { withPlannedLayers } from './planned-layers';
import { followChange, inLayerTurn, planUsers, previewUsers } from './recompose-users';

export const ENVIRONMENTS_MAX = 100;
const TEMPORAL_PING_WITHIN_MS = 2_000;

export const ENVIRONMENT_READ_ONLY_FIELDS: readonly string[] = [
  'id',
  'version',
  'rolloutId',
  'createdAt',
  'updatedAt',
];

export function environmentKind({
  stores,
}: Pick<Dependencies, 'stores'>): ObjectKind<Environment, EnvironmentResponse> {
  return {
    idKind: 'environment',
    name: 'environment',
    names: 'environments',
    list: 'environments',
    turn: 'environments',
    max: ENVIRONMENTS_MAX,
    store: stores.environments,
    present: presentEnvironment,
  };
}

function presentEnvironment(environment: Environment): EnvironmentResponse {
  const { variables, secrets, rolloutId, createdAt, updatedAt, ...shown } =
    presentObject(environment);
  const named = secrets.map(({ alias, name }) => [alias, name] as const);
  return {
    ...shown,
    variables: toRecord(variables),
    secrets: Object.fromEntries(named),
    rolloutId: rolloutId ?? null,
    createdAt,
    updatedAt,
  };
}

/** Throws `key_taken`, `limit_reached`, and `validation_failed` for secrets that the account does not have. */
export async function createEnvironment(
  needs: Dependencies,
  accountId: string,
  body: EnvironmentBody,
): Promise<EnvironmentResponse> {
  const environment = await newEnvironment(needs, accountId, body);
  await storeEnvironment(needs, environment);
  return presentEnvironment(environment);
}

/** Throws the same errors as createEnvironment. */
export function storeEnvironment(needs: Dependencies, environment: Environment): Promise<void> {
  return storeObject(needs, environmentKind(needs), environment);
}

/** Builds the environment without storing it. */
export async function newEnvironment(
  needs: Dependencies,
  accountId: string,
  body: EnvironmentBody,
): Promise<Environment> {
  const made = newObject(needs, environmentKind(needs), accountId);
  await refuseUnknownSecrets(needs, accountId, { after: body, before: null });
  return { ...body, ...made };
}

interface Replacement extends ObjectChange {
  readonly body: EnvironmentBody;
}

/** If a resource would become invalid, stores nothing and throws `in_use` with its name and the paths. */
export async function replaceEnvironment(
  needs: Dependencies,
  { accountId, actor }: Pick<Principal, 'accountId' | 'actor'>,
  replacement: Replacement,
): Promise<EnvironmentResponse> {
  const change = await changeEnvironment(needs, { ...replacement, accountId });
  return presentEnvironment(await followEnvironment(needs, actor, change));
}

interface StoredChange {
  readonly before: Environment;
  readonly after: Environment;
}

/** Starts the rollout of changed values. Returns the environment with the id of the rollout. */
export async function followEnvironment(
  needs: Dependencies,
  actor: AuditActor,
  { before, after }: StoredChange,
): Promise<Environment> {
  if (hasSameValues(before, after)) return after;
  const { accountId, id, key, version } = after;
  const rolloutId = await followChange(needs, {
    accountId,
    actor,
    cause: { type: 'environment', key },
    users: { environment: key },
    undo: { version, before: buildEnvironmentBody(before) },
    note: (started) =>
      needs.stores.environments.noteRollout(accountId, id, { version, rolloutId: started }),
  });
  return rolloutId === null ? after : { ...after, rolloutId };
}

/** The environment in the form of a request body. */
export function buildEnvironmentBody({ key, name, variables, secrets }: Environment) {
  const named = secrets.map(({ alias, name: secret }) => [alias, secret] as const);
  return { key, name, variables: toRecord(variables), secrets: Object.fromEntries(named) };
}

interface EnvironmentChange extends Replacement {
  readonly accountId: string;
  /** Ids of resources that are not checked, because another change will change or delete them. */
  readonly except?: ReadonlySet<string>;
}

/** Like replaceEnvironment, but starts no rollout. */
export async function changeEnvironment(
  needs: Dependencies,
  { body, except, ...change }: EnvironmentChange,
): Promise<StoredChange> {
  // Without Temporal, the environment would be stored, but no rollout could follow.
  await needs.gateway.ping(TEMPORAL_PING_WITHIN_MS);
  return inLayerTurn(needs, change.accountId, async () => {
    const kind = environmentKind(needs);
    const before = await findObject(kind, change.accountId, change.id);
    const after = await changeObject(needs, kind, change, (stored) =>
      planEnvironment(needs, { before: stored, body, except }),
    );
    return { before, after };
  });
}

/** Plans how the change would affect the resources that use the environment. Stores nothing. */
export async function previewEnvironment(
  needs: Dependencies,
  accountId: string,
  { id, accept, body }: Replacement,
): Promise<{ readonly stored: EnvironmentResponse; readonly plan: RolloutPlanResponse }> {
  const before = await findObject(environmentKind(needs), accountId, id);
  accept(before.version);
  const environment = await changedEnvironment(needs, before, body);
  const users = { environment: before.key };
  const planned = withPlannedLayers(needs, { environment });
  return {
    stored: presentEnvironment(before),
    plan: await previewUsers(planned, { accountId, users }),
  };
}

interface PlannedChange extends Pick<EnvironmentChange, 'body'> {
  readonly before: Environment;
  readonly except?: ReadonlySet<string> | undefined;
}

/** The environment to store. Returns `before` itself when nothing changes. Throws `in_use` like replaceEnvironment. */
export async function planEnvironment(
  needs: Dependencies,
  { before, body, except }: PlannedChange,
): Promise<Environment> {
  const changed = await changedEnvironment(needs, before, body);
  if (changed === before) return before;
  const { accountId, key } = before;
  const planned = withPlannedLayers(needs, { environment: changed });
  await planUsers(planned, { accountId, users: { environment: key }, except });
  return changed;
}

async function changedEnvironment(
  needs: Pick<Dependencies, 'stores'>,
  before: Environment,
  body: EnvironmentBody,
): Promise<Environment> {
  refuseOtherKey(before, body.key);
  const changed = { ...before, ...body };
  if (canonicalJson(changed) === canonicalJson(before)) return before;
  await refuseUnknownSecrets(needs, before.accountId, { after: body, before });
  return hasSameValues(changed, before) ? changed : withoutRollout(changed);
}

function hasSameValues(one: Environment, other: Environment): boolean {
  const values = ({ variables, secrets }: Environment) => canonicalJson({ variables, secrets });
  return values(one) === values(other);
}

function withoutRollout({ rolloutId: _earlier, ...environment }: Environment): Environment {
  return environment;
}

/** The key cannot change, since monitors and scenarios refer to it. */
function refuseOtherKey({ key }: Environment, wanted: string): void {
  if (wanted === key) return;
  const message = `cannot be changed from ${key}; create another environment instead`;
  refuseProblems([{ path: 'key', code: 'invalid_value', message }]);
}

type Secrets = Pick<Environment, 'secrets'>;

/** A secret that is already named may be missing. */
async function refuseUnknownSecrets(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  { after, before }: { readonly after: Secrets; readonly before: Secrets | null },
): Promise<void> {
  const kept = new Set(before?.secrets.map(({ name }) => name));
  const added = after.secrets.filter(({ name }) => !kept.has(name));
  if (added.length === 0) return;
  const names = added.map(({ name }) => name);
  const found = await stores.secrets.findMany(accountId, names);
  const known = new Set(found.map(({ name }) => name));
  refuseProblems(
    added
      .filter(({ name }) => !known.has(name))
      .map(({ alias, name }) => ({
        path: `secrets.${alias}`,
        code: 'unknown_key',
        message: `is not a secret of this account; store it first with PUT /v1/secrets/${name}`,
      })),
  );
}

/** Throws `in_use` with the monitors and scenarios that use the environment. */
export async function deleteEnvironment(
  needs: Dependencies,
  accountId: string,
  change: ObjectChange,
): Promise<void> {
  const kind = environmentKind(needs);
  const environment = await findObject(kind, accountId, change.id);
  const { key } = environment;
  await removeObject(needs, kind, { ...change, accountId }, () =>
    refuseUsed(needs, accountId, key),
  );
  // A resource may have been saved with the environment at the same time. Then the environment is
  // stored again, and the deletion is refused.
  await refuseUsed(needs, accountId, key).catch(async (reason: unknown) => {
    await storeEnvironment(needs, { ...environment, version: environment.version + 1 });
    throw reason;
  });
}

const NAMED_MAX = 20;

async function refuseUsed(needs: Dependencies, accountId: string, key: string): Promise<void> {
  const users = await findUsers(needs, accountId, { environment: key });
  if (users.length === 0) return;
  const errors = users.slice(0, NAMED_MAX).map(({ id, name }) => ({
    path: id,
    code: 'in_use',
    message: `is used by “${name}”`,
  }));
  const message = 'Monitors or scenarios use this environment. Change them first.';
  throw new AppError('in_use', message, { errors });
}
