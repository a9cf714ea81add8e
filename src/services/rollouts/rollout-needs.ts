/** The dependencies of rollouts, in the API and in the orchestrator. */

import { batchFinds, memoize } from '../lists/shared-calls';
import type { Dependencies } from '../ports/dependencies';
import type { KindNeeds } from '../resources/kind';

export type RolloutNeeds = KindNeeds & Pick<Dependencies, 'newId' | 'sleep' | 'notifyOperator'>;

/**
 * Shares calls that have the same result for all resources. Use the returned object only for one slice of a rollout or
 * one plan, because it caches what it reads.
 */
export function shareCalls<Needs extends KindNeeds>(needs: Needs): Needs {
  const { stores } = needs;
  const { regions, accounts, alertChannels, alertPolicies, dependencies, hours } = stores;
  const { environments, accountVariables, profiles, monitors, scenarios } = stores;
  return {
    ...needs,
    stores: {
      ...stores,
      monitors: { ...monitors, find: batchFinds(monitors) },
      scenarios: { ...scenarios, find: batchFinds(scenarios) },
      regions: { ...regions, list: memoize(regions.list) },
      accounts: { ...accounts, find: memoize(accounts.find) },
      alertChannels: { ...alertChannels, list: memoize(alertChannels.list) },
      alertPolicies: { ...alertPolicies, findByKey: memoize(alertPolicies.findByKey) },
      dependencies: { ...dependencies, nodes: memoize(dependencies.nodes) },
      hours: { ...hours, findByKey: memoize(hours.findByKey) },
      profiles: { ...profiles, findByKey: memoize(profiles.findByKey) },
      environments: { ...environments, findByKey: memoize(environments.findByKey) },
      accountVariables: { ...accountVariables, find: memoize(accountVariables.find) },
    },
  };
}
