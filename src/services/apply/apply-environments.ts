/** Environments of a set, in the same form as responses show them. */
import { environmentBody } from '../../schemas/environments/environment';
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
import { keyedKind } from './apply-keyed';
import type { ApplyKind } from './apply-kind';
import type { ApplyNeeds } from './apply-needs';

/** Leaves monitors and scenarios of the set out of the plans, because the set defines them, too. */
export function environmentsKind(
  accountId: string,
  { environments: known, ownIds: except, needs: planned, actor, follow }: ApplyNeeds,
  needs: Dependencies,
): ApplyKind {
  return keyedKind({
    list: 'environments',
    names: 'environments',
    max: ENVIRONMENTS_MAX,
    defaults: { variables: {}, secrets: {} },
    known,
    listAll: () => needs.stores.environments.listAll(accountId),
    buildView: buildEnvironmentBody,
    readBody: (sent, stored) => readChange(environmentBody, { sent, stored }),
    build: (body) => newEnvironment(needs, accountId, body),
    store: (environment) => storeEnvironment(needs, environment),
    planChange: (before, body) => planEnvironment(planned, { before, body, except }),
    replace: async (id, body) => {
      const change = { accountId, id, body, accept: anyVersion, except };
      const stored = await changeEnvironment(needs, change);
      // Users follow once the whole set is applied.
      follow.push(() => followEnvironment(needs, actor, stored));
    },
    remove: (id) => deleteEnvironment(needs, accountId, { id, accept: anyVersion }),
  });
}
