/** Exports everything that the workflow bundle contains. */
export { alertWorkflow } from './alert/alert';
export { digestWorkflow } from './alert/digest';
export { escalationWorkflow } from './escalation/escalation';
export { handOverWorkflow } from './hand-over/hand-over';
export { heartbeatWorkflow } from './heartbeat/heartbeat';
export { housekeepingWorkflow } from './housekeeping/housekeeping';
export { noticeWorkflow } from './letters/notice';
export { monitorWorkflow } from './monitor/monitor';
export { testCheckWorkflow } from './monitor/test-check';
export { rolloutsWorkflow } from './rollouts/rollouts';
export { scenarioRunWorkflow } from './run/scenario-run';
export { testRunWorkflow } from './run/test-run';
export { scenarioWorkflow } from './scenario/scenario';
export { watchdogWorkflow } from './watchdog/watchdog';
