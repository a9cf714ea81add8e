/**
 * Creates, changes and deletes environments. Refuses a change after which a monitor or scenario would refer to an
 * unknown variable or a blocked target. If a value changes, a rollout updates everything that uses the environment.
 */
import type { AuditActor } from '../../models/accounts/audit';
import type { Environment } from '../../models/environments/environments';
import { isSameJson, toCanonicalJson } from '../../platform/canonical-json';
import { type EnvironmentBody, environmentBody } from '../../schemas/environments/environment';
import type { EnvironmentResponse } from '../../schemas/responses/environments';
import type { RolloutPlanResponse } from '../../schemas/responses/rollouts';
import { refuseProblems } from '../lists/field-problems';
import {
  type BodyChange,
  defineObjectType,
  findTypedObject,
  type ObjectType,
  refuseOtherKey,
  refuseUsed,
} from '../objects/object-type';
import {
  changeObject,
  type OwnedChange,
  presentObject,
  removeObject,
  storeObject,
} from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { findUsers } from '../resources/layer-users';
import { toRecord } from '../resources/service-fields';
import { withPlannedLayers } from './planned-layers';
import { followChange, planUsers, previewUsers, withLayerLock } from './recompose-users';

const TEMPORAL_PING_WITHIN_MS = 2_000;

/**
 * Environments as a resource. A change that would make a monitor or scenario invalid is not stored. Such a change
 * throws `in_use` with the name of the monitor or scenario and the paths of its invalid fields.
 */
export const ENVIRONMENTS: ObjectType<Environment, EnvironmentBody, EnvironmentResponse> =
  defineObjectType(
    {
      idKind: 'environment',
      name: 'environment',
      names: 'environments',
      list: 'environments',
      plural: 'environments',
      max: 100,
      shape: environmentBody,
      readOnlyFields: ['id', 'version', 'rolloutId', 'createdAt', 'updatedAt'],
      defaults: { variables: {}, secrets: {} },
      getStore: ({ environments }) => environments,
    },
    (needs) => ({
      present: presentEnvironment,
      listAll: needs.stores.environments.listAll,
      build: async (made, body) => {
        await refuseUnknownSecrets(needs, made.accountId, { after: body, before: null });
        return { ...body, ...made };
      },
      change: (before, body, { needs: planned, ownIds: except }) =>
        planEnvironment(planned, { before, body, except }),
      replace: async (change, { ownIds: except, actor, follow }) => {
        const stored = await changeEnvironment(needs, { ...change, except });
        const act = () => followEnvironment(needs, actor, stored);
        if (follow === undefined) return act();
        follow.push(act);
        return stored.after;
      },
      remove: (change) => removeEnvironment(needs, change),
    }),
  );

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

interface StoredChange {
  readonly before: Environment;
  readonly after: Environment;
}

/** Starts the rollout of changed values. Returns the environment with the id of the rollout. */
async function followEnvironment(
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

/** Returns the environment in the form of a request body. */
export function buildEnvironmentBody(environment: Environment) {
  const { key, name, variables, secrets } = presentEnvironment(environment);
  return { key, name, variables, secrets };
}

interface EnvironmentChange extends BodyChange<EnvironmentBody> {
  /** Ids of resources that are not checked, because the same request will change or delete them. */
  readonly except?: ReadonlySet<string>;
}

/** Stores the change, but starts no rollout. */
export async function changeEnvironment(
  needs: Dependencies,
  { body, except, ...change }: EnvironmentChange,
): Promise<StoredChange> {
  // Temporal is checked first. Without Temporal, the environment would be stored but no rollout could follow.
  await needs.gateway.ping(TEMPORAL_PING_WITHIN_MS);
  return withLayerLock(needs, change.accountId, async () => {
    const bound = ENVIRONMENTS.bind(needs);
    const before = await findTypedObject(needs, ENVIRONMENTS, change);
    const after = await changeObject(needs, bound, change, (stored) =>
      planEnvironment(needs, { before: stored, body, except }),
    );
    return { before, after };
  });
}

/** Plans how the change would affect the resources that use the environment. Stores nothing. */
export async function previewEnvironment(
  needs: Dependencies,
  { accountId, id, accept, body }: BodyChange<EnvironmentBody>,
): Promise<{ readonly stored: EnvironmentResponse; readonly plan: RolloutPlanResponse }> {
  const before = await findTypedObject(needs, ENVIRONMENTS, { accountId, id });
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

/** Returns the environment to store. If nothing changes, this is `before` itself. */
async function planEnvironment(
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
  refuseOtherKey(before.key, body.key, 'another environment');
  const changed = { ...before, ...body };
  if (isSameJson(changed, before)) return before;
  await refuseUnknownSecrets(needs, before.accountId, { after: body, before });
  return hasSameValues(changed, before) ? changed : withoutRollout(changed);
}

function hasSameValues(one: Environment, other: Environment): boolean {
  const values = ({ variables, secrets }: Environment) => toCanonicalJson({ variables, secrets });
  return values(one) === values(other);
}

function withoutRollout({ rolloutId: _earlier, ...environment }: Environment): Environment {
  return environment;
}

type Secrets = Pick<Environment, 'secrets'>;

/** Throws if a named secret does not exist. A secret that the stored environment already names may be missing. */
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

/** Deletes the environment. Throws `in_use` with the names of the monitors and scenarios that use the environment. */
async function removeEnvironment(needs: Dependencies, change: OwnedChange): Promise<void> {
  const { accountId } = change;
  const bound = ENVIRONMENTS.bind(needs);
  const environment = await findTypedObject(needs, ENVIRONMENTS, change);
  const refuse = async (): Promise<void> =>
    refuseUsed(
      await findUsers(needs, accountId, { environment: environment.key }),
      'Monitors or scenarios use this environment. Change them first.',
    );
  await removeObject(needs, bound, change, refuse);
  // Another request may have saved a resource with the environment at the same time. In that case,
  // the environment is stored again, and the deletion is refused.
  await refuse().catch(async (reason: unknown) => {
    await storeObject(needs, bound, { ...environment, version: environment.version + 1 });
    throw reason;
  });
}
