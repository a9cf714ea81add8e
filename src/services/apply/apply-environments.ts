/** Environments of a set, in the same form as responses show them. */
import type { Environment } from '../../models/environments/environments';
import { AppError } from '../../platform/errors';
import { type EnvironmentBody, environmentBody } from '../../schemas/environments/environment';
import {
  buildEnvironmentBody,
  changeEnvironment,
  deleteEnvironment,
  ENVIRONMENTS_MAX,
  followEnvironment,
  newEnvironment,
  planEnvironment,
  storeEnvironment,
} from '../environments/environments';
import { readChange } from '../lists/read-change';
import { anyVersion } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import {
  type ApplyKind,
  type Entry,
  type Existing,
  type ObjectPlan,
  planCreation,
  toExisting,
} from './apply-kind';
import type { ApplyNeeds } from './apply-needs';

const DEFAULTS: Entry = { variables: {}, secrets: {} };

/** Monitors and scenarios of the set are left out of the plans, because the set defines them, too. */
export function environmentsKind(
  accountId: string,
  { environments: known, ownIds: except, needs: planned, actor, follow }: ApplyNeeds,
  needs: Dependencies,
): ApplyKind {
  const planNew = async (body: EnvironmentBody, set: string): Promise<ObjectPlan> => {
    if (known.size >= ENVIRONMENTS_MAX)
      throw new AppError(
        'limit_reached',
        `An account may have at most ${ENVIRONMENTS_MAX} environments.`,
      );
    const environment = { ...(await newEnvironment(needs, accountId, body)), managedBy: set };
    const plan = planCreation(environment, known, () => storeEnvironment(needs, environment));
    return { ...plan, name: environment.name, after: buildEnvironmentBody(environment) };
  };

  const planChange = async (
    body: EnvironmentBody,
    { id, view }: Existing,
    before: Environment,
  ): Promise<ObjectPlan> => {
    const environment = await planEnvironment(planned, { before, body, except });
    known.set(id, environment);
    return {
      name: environment.name,
      before: view,
      after: buildEnvironmentBody(environment),
      carryOut: async () => {
        const change = { accountId, id, body, accept: anyVersion, except };
        const stored = await changeEnvironment(needs, change);
        follow.push(() => followEnvironment(needs, actor, stored));
        return { id };
      },
    };
  };

  return {
    list: 'environments',
    async load() {
      const all = await needs.stores.environments.listAll(accountId);
      known.clear();
      for (const environment of all) known.set(environment.id, environment);
      return all.map((environment) => toExisting(environment, buildEnvironmentBody(environment)));
    },
    plan: async ({ entry, existing, set }) => {
      const body = readEntry(entry, existing?.view);
      const before = existing === null ? undefined : known.get(existing.id);
      return existing === null || before === undefined
        ? planNew(body, set)
        : planChange(body, existing, before);
    },
    remove: (id) => deleteEnvironment(needs, accountId, { id, accept: anyVersion }),
    readDefaults: async () => DEFAULTS,
  };
}

function readEntry({ id: _id, ...sent }: Entry, stored: Entry | undefined): EnvironmentBody {
  return readChange(environmentBody, { sent, stored });
}
