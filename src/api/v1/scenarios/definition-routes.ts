/** The routes that scenarios have in common with monitors. */
import { scenarioExample } from '../../../schemas/scenario-example';
import { SCENARIO_FACTS, scenarioKind } from '../../../services/scenarios/kind';
import { PATCHES } from '../../openapi/named-shapes';
import type { Route } from '../../routing/route';
import { definitionRoutes } from '../resources/definition-routes';
import { stateRoutes } from '../resources/state-routes';

const SCENARIOS = {
  facts: SCENARIO_FACTS,
  kindOf: scenarioKind,
  tag: 'Scenarios',
  patch: PATCHES.ScenarioPatch,
  example: scenarioExample,
  patchExample: { interval: 600 },
  words: { check: 'run', results: 'runs', measures: 'durations' },
} as const;

export const scenarioDefinitionRoutes: readonly Route[] = [
  ...definitionRoutes(SCENARIOS),
  ...stateRoutes(SCENARIOS),
];
