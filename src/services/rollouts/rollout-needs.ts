/** The dependencies of rollouts, in the API and in the orchestrator. */

import { foundTogether, remembered } from '../lists/shared-calls';
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
      monitors: { ...monitors, find: foundTogether(monitors) },
      scenarios: { ...scenarios, find: foundTogether(scenarios) },
      regions: { ...regions, list: remembered(regions.list) },
      accounts: { ...accounts, find: remembered(accounts.find) },
      alertChannels: { ...alertChannels, list: remembered(alertChannels.list) },
      alertPolicies: { ...alertPolicies, findByKey: remembered(alertPolicies.findByKey) },
      dependencies: { ...dependencies, nodes: remembered(dependencies.nodes) },
      hours: { ...hours, findByKey: remembered(hours.findByKey) },
      profiles: { ...profiles, findByKey: remembered(profiles.findByKey) },
      environments: { ...environments, findByKey: remembered(environments.findByKey) },
      accountVariables: { ...accountVariables, find: remembered(accountVariables.find) },
    },
  };
}
