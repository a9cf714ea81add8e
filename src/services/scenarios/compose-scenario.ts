/** From the body of a scenario to its row: what needs regions, targets and the clock is settled here. */
import type { ScenarioStep } from '../../contracts/definition';
import type { Scenario } from '../../models/resources/scenarios';
import type { SentVariable } from '../../schemas/fields';
import type { ScenarioBody } from '../../schemas/scenario';
import { refuseProblems } from '../lists/field-problems';
import type { Dependencies } from '../ports/dependencies';
import { resolveRegions, unknownRegionProblems } from '../regions/resolve-regions';
import { findMaskedHeaders } from '../resources/keep-headers';
import type { Owner } from '../resources/kind';
import { resolveAlerts } from '../resources/resolve-alerts';
import { dependenciesOf } from '../resources/resolve-dependencies';
import { findBlockedTargets, groupKeyFor, searchTextOf } from '../resources/target';

/** The part of a row that people define. */
export type ScenarioFields = Pick<
  Scenario,
  | 'name'
  | 'intervalSeconds'
  | 'regions'
  | 'group'
  | 'groupKey'
  | 'tags'
  | 'key'
  | 'alerts'
  | 'alertTargets'
  | 'dependsOn'
  | 'searchText'
  | 'steps'
  | 'timeoutSeconds'
  | 'onFailure'
  | 'cookies'
> & {
  readonly variables: readonly SentVariable[];
};

type Needs = Pick<
  Dependencies,
  'stores' | 'clock' | 'configuredRegions' | 'findBlockedTarget' | 'sealers'
>;

/**
 * Throws one refusal with all unknown regions and refused targets; what the body leaves as it is
 * stored is never refused.
 */
export async function composeScenarioFields(
  needs: Needs,
  { accountId, id, stored }: Owner<Scenario>,
  body: ScenarioBody,
): Promise<ScenarioFields> {
  const { name, interval, steps, group, variables, tags, key, timeoutSeconds } = body;
  const regions = await resolveRegions(needs, body.regions);
  const targets = steps.map(({ url }, index) => ({ path: `steps[${index}].url`, url }));
  refuseProblems([
    ...unknownRegionProblems(regions, stored?.regions),
    ...findBlockedTargets(needs, {
      targets,
      variables,
      stored: stored && {
        urls: stored.steps.map((step) => step.url),
        variables: stored.variables,
      },
    }),
    ...findMaskedHeaders(stored, { steps }),
  ]);
  const [first] = steps;
  return {
    name,
    intervalSeconds: interval,
    regions: body.regions === null ? regions.names.slice(0, 1) : regions.names,
    group,
    groupKey: groupKeyFor(group, first?.url ?? '', variables),
    tags: [...new Set(tags)],
    key,
    ...(await resolveAlerts(needs, { accountId, stored }, body.alerts)),
    ...(await dependenciesOf(needs, { accountId, id, stored }, body)),
    searchText: searchTextOf({ name, key, urls: steps.map(({ url }) => url), variables }),
    variables,
    steps: steps.map(stepOf),
    timeoutSeconds,
    onFailure: body.onFailure,
    cookies: body.cookies,
  };
}

function stepOf({ tls, ...step }: ScenarioBody['steps'][number]): ScenarioStep {
  return { ...step, tlsWarnDays: tls.warnDays };
}
