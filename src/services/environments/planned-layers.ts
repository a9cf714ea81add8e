/** Plans definitions as if an environment or the account's variables had already been changed. */
import type { AccountVariables } from '../../models/environments/account-variables';
import type { Environment } from '../../models/environments/environments';
import type { Dependencies } from '../ports/dependencies';

/** The planned environment and variables. If a field is absent, the stored value applies. */
export interface PlannedLayers {
  readonly environment?: Environment;
  readonly account?: AccountVariables;
}

/** Returns the same dependencies, but with reads that find the planned objects. */
export function withPlannedLayers<Needs extends Pick<Dependencies, 'stores'>>(
  needs: Needs,
  { environment, account }: PlannedLayers,
): Needs {
  const { stores } = needs;
  const { environments, accountVariables } = stores;
  return {
    ...needs,
    stores: {
      ...stores,
      ...(account !== undefined && {
        accountVariables: { ...accountVariables, find: async () => account },
      }),
      ...(environment !== undefined && {
        environments: {
          ...environments,
          find: async (accountId, id) =>
            id === environment.id ? environment : environments.find(accountId, id),
          findByKey: async (accountId, key) =>
            key === environment.key ? environment : environments.findByKey(accountId, key),
          listAll: async (accountId) =>
            (await environments.listAll(accountId)).map((one) =>
              one.id === environment.id ? environment : one,
            ),
        },
      }),
    },
  };
}
