/** Everything that enters the workflow bundle. */
export { alertWorkflow } from './alert';
export { digestWorkflow } from './digest';
export { housekeepingWorkflow } from './housekeeping';
export { monitorWorkflow } from './monitor';
export { scenarioWorkflow } from './scenario';
export { scenarioRunWorkflow } from './scenario-run';
export { testCheckWorkflow } from './test-check';
export { testRunWorkflow } from './test-run';
