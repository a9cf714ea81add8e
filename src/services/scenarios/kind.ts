/** Describes scenarios for functions that handle both monitors and scenarios. */

import type { Scenario } from '../../models/resources/scenarios';
import { leaveVariablesOpen } from '../../schemas/environments/open-references';
import { type ScenarioResponse, scenario, scenarioPage } from '../../schemas/responses/scenarios';
import { type ScenarioBody, scenarioBody } from '../../schemas/scenario';
import {
  type Kind,
  type KindFacts,
  type KindNeeds,
  pickBase,
  withoutBase,
} from '../resources/kind';
import { createScenarioPort } from '../resources/resource-port';
import { composeScenarioFields, type ScenarioFields } from './compose-scenario';
import { presentScenario, SCENARIO_READ_ONLY_FIELDS } from './present-scenario';

export interface ScenarioTypes {
  readonly Body: ScenarioBody;
  readonly Fields: ScenarioFields;
  readonly Resource: Scenario;
  readonly View: ScenarioResponse;
}

/** Facts about all scenarios that do not depend on stored data. */
export const SCENARIO_FACTS: KindFacts<ScenarioTypes> = {
  idKind: 'scenario',
  shape: leaveVariablesOpen<ScenarioBody>(scenarioBody),
  readOnlyFields: SCENARIO_READ_ONLY_FIELDS,
  minimal: { name: 'x', steps: [{ name: 'x', url: 'http://example.com/' }] },
  response: scenario,
  page: scenarioPage,
};

export function createScenarioKind(needs: KindNeeds): Kind<ScenarioTypes> {
  return {
    ...SCENARIO_FACTS,
    ...createScenarioPort(needs),
    compose: (owner, body) => composeScenarioFields(needs, owner, body),
    withFields: (base, fields) => ({ ...base, ...fields }),
    readFields: withoutBase,
    restore: (current, fields) => ({ ...pickBase(current), ...fields }),
    present: (scenario, status) => presentScenario(needs, scenario, status),
  };
}
