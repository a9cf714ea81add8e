/** Calls about single checks and runs: tests of unsaved definitions, and cancellation. */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { StepOutcome } from '../../contracts/outcome';
import type { RunRecord } from '../../contracts/records';
import type { ScenarioRunInput } from '../../contracts/scenario-run';
import {
  type MonitorConfig,
  ORCHESTRATOR_QUEUE,
  SIGNALS,
  scenarioWorkflowId,
  testCheckWorkflowId,
  WORKFLOW_TYPES,
} from '../../contracts/workflows';
import { callTemporal } from '../temporal-call';

const CANCEL_DEADLINE_MS = 2_500;

/** Tests a monitor. The workflow ends at the deadline. */
export function testMonitor(
  client: Client,
  config: MonitorConfig,
  deadlineMs: number,
): Promise<StepOutcome> {
  return callTemporal(client, deadlineMs, () =>
    client.workflow.execute<(config: MonitorConfig) => Promise<StepOutcome>>(
      WORKFLOW_TYPES.testCheck,
      {
        workflowId: testCheckWorkflowId(config.id),
        taskQueue: ORCHESTRATOR_QUEUE,
        priority: { fairnessKey: config.accountId },
        args: [config],
        workflowExecutionTimeout: deadlineMs,
        staticSummary: 'test of an unsaved monitor',
      },
    ),
  );
}

/** Tests a scenario in the same way as `testMonitor`. */
export function testScenario(
  client: Client,
  run: ScenarioRunInput,
  deadlineMs: number,
): Promise<RunRecord> {
  return callTemporal(client, deadlineMs, () =>
    client.workflow.execute<(run: ScenarioRunInput) => Promise<RunRecord>>(WORKFLOW_TYPES.testRun, {
      workflowId: testCheckWorkflowId(run.scenarioId),
      taskQueue: ORCHESTRATOR_QUEUE,
      priority: { fairnessKey: run.accountId },
      args: [run],
      workflowExecutionTimeout: deadlineMs,
      staticSummary: `test of an unsaved scenario · ${run.steps.length} steps`,
    }),
  );
}

/**
 * Signals the scenario's workflow, which cancels the run or drops the request for it. Returns false if there is no such
 * workflow.
 */
export function cancelRun(client: Client, scenarioId: string, runId: string): Promise<boolean> {
  return callTemporal(client, CANCEL_DEADLINE_MS, async () => {
    try {
      await client.workflow
        .getHandle(scenarioWorkflowId(scenarioId))
        .signal(SIGNALS.cancelRun, runId);
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  });
}
