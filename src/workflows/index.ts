/** Everything that enters the workflow bundle. */
export { monitorWorkflow } from './monitor';
export { scenarioWorkflow } from './scenario';
export { scenarioRunWorkflow } from './scenario-run';
export { testCheckWorkflow } from './test-check';
