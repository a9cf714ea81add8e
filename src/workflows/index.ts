/** Everything that enters the workflow bundle. */
export { alertWorkflow } from './alert/alert';
export { digestWorkflow } from './alert/digest';
export { housekeepingWorkflow } from './housekeeping/housekeeping';
export { monitorWorkflow } from './monitor/monitor';
export { scenarioWorkflow } from './scenario/scenario';
export { scenarioRunWorkflow } from './run/scenario-run';
export { testCheckWorkflow } from './monitor/test-check';
export { testRunWorkflow } from './run/test-run';
