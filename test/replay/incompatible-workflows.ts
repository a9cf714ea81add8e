/** The workflows of today with one command too many at their start, as a careless change has it. */

import { sleep } from '@temporalio/workflow';
import type { AlertInput, DigestState } from '../../src/contracts/alerts';
import type { HeartbeatState } from '../../src/contracts/heartbeat-workflow';
import type { HousekeepingState } from '../../src/contracts/housekeeping';
import type {
  MonitorConfig,
  MonitorState,
  ScenarioRunInput,
  ScenarioState,
} from '../../src/contracts/workflows';
import * as today from '../../src/workflows';

export async function monitorWorkflow(state: MonitorState): Promise<void> {
  await sleep(1);
  return today.monitorWorkflow(state);
}

export async function heartbeatWorkflow(state: HeartbeatState): Promise<void> {
  await sleep(1);
  return today.heartbeatWorkflow(state);
}

export async function scenarioWorkflow(state: ScenarioState): Promise<void> {
  await sleep(1);
  return today.scenarioWorkflow(state);
}

export async function scenarioRunWorkflow(input: ScenarioRunInput): Promise<unknown> {
  await sleep(1);
  return today.scenarioRunWorkflow(input);
}

export async function alertWorkflow(input: AlertInput): Promise<unknown> {
  await sleep(1);
  return today.alertWorkflow(input);
}

export async function digestWorkflow(state: DigestState): Promise<void> {
  await sleep(1);
  return today.digestWorkflow(state);
}

export async function testCheckWorkflow(config: MonitorConfig): Promise<unknown> {
  await sleep(1);
  return today.testCheckWorkflow(config);
}

export async function housekeepingWorkflow(state: HousekeepingState): Promise<void> {
  await sleep(1);
  return today.housekeepingWorkflow(state);
}
