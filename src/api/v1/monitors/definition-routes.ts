/** The routes that monitors have in common with scenarios. */
import { MONITOR_FACTS, monitorKind } from '../../../services/monitors/kind';
import { PATCHES } from '../../openapi/named-shapes';
import type { Route } from '../../routing/route';
import { definitionRoutes } from '../resources/definition-routes';
import { stateRoutes } from '../resources/state-routes';
import { MONITOR_EXAMPLE } from './monitor-example';

const MONITORS = {
  facts: MONITOR_FACTS,
  kindOf: monitorKind,
  tag: 'Monitors',
  patch: PATCHES.MonitorPatch,
  example: MONITOR_EXAMPLE,
  patchExample: { interval: 300 },
  words: { check: 'check', results: 'results', measures: 'latency' },
} as const;

export const monitorDefinitionRoutes: readonly Route[] = [
  ...definitionRoutes(MONITORS),
  ...stateRoutes(MONITORS),
];
