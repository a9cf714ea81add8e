/**
 * Starts a scenario run as a child workflow that outlives its parent, and follows it to its end.
 * It decides nothing about when runs are due.
 */

import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { CancelledFailure, ChildWorkflowFailure, startChild, uuid4 } from '@temporalio/workflow';
import type { RunStatus, RunTrigger } from '../contracts/records';
import {
  type ManualRun,
  type ScenarioConfig,
  type ScenarioRunAnswer,
  type ScenarioRunInput,
  scenarioRunWorkflowId,
  WORKFLOW_TYPES,
} from '../contracts/workflows';
import { idFrom } from '../domain/ids';
import {
  accountKey,
  formatInstant,
  kindKey,
  regionsKey,
  resourceKey,
  stateKey,
  triggerKey,
} from './show';

export interface FinishedRun {
  readonly runId: string;
  readonly region: string;
  readonly status: RunStatus;
  readonly durationMs: number | null;
}

interface StartedRun {
  readonly input: ScenarioRunInput;
  readonly result: () => Promise<ScenarioRunAnswer>;
}

/** The input of a run that the schedule asks for; its id holds the slot's time. */
export function scheduledRunInput(
  config: ScenarioConfig,
  region: string,
  { slotMs, trigger }: { readonly slotMs: number; readonly trigger: RunTrigger },
): ScenarioRunInput {
  return {
    ...commonInput(config),
    runId: idFrom('run', slotMs, randomTenBytes()),
    region,
    trigger,
    label: null,
    slotMs,
    queuedAtMs: Date.now(),
    variables: [],
    countInUptime: true,
  };
}

/** The input of a run that people asked for. */
export function manualRunInput(config: ScenarioConfig, run: ManualRun): ScenarioRunInput {
  const { runId, region, trigger, label, queuedAtMs, variables, countInUptime } = run;
  return {
    ...commonInput(config),
    runId,
    region,
    trigger,
    label,
    slotMs: queuedAtMs,
    queuedAtMs,
    variables,
    countInUptime,
  };
}

/** Starts the run; null when a run of this id has been started before. */
export async function startRun(input: ScenarioRunInput): Promise<StartedRun | null> {
  try {
    const child = await startChild<(input: ScenarioRunInput) => Promise<ScenarioRunAnswer>>(
      WORKFLOW_TYPES.scenarioRun,
      {
        workflowId: scenarioRunWorkflowId(input.runId),
        args: [input],
        parentClosePolicy: 'ABANDON',
        cancellationType: 'TRY_CANCEL',
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        staticSummary: `${input.region} · ${input.trigger} · ${formatInstant(input.slotMs)}`,
        typedSearchAttributes: [
          { key: accountKey, value: input.accountId },
          { key: kindKey, value: 'run' },
          { key: resourceKey, value: input.scenarioId },
          { key: stateKey, value: 'running' },
          { key: triggerKey, value: input.trigger },
          { key: regionsKey, value: [input.region] },
        ],
      },
    );
    return { input, result: () => child.result() };
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
    throw error;
  }
}

/** How the run ended; one that was ended from outside counts as our error, not as a failure. */
export async function followRun(run: StartedRun): Promise<FinishedRun> {
  const { runId, region } = run.input;
  try {
    const { status, durationMs } = await run.result();
    return { runId, region, status, durationMs };
  } catch (error) {
    if (!(error instanceof ChildWorkflowFailure)) throw error;
    const status = error.cause instanceof CancelledFailure ? 'cancelled' : 'error';
    return { runId, region, status, durationMs: null };
  }
}

function commonInput(
  config: ScenarioConfig,
): Pick<
  ScenarioRunInput,
  'v' | 'accountId' | 'scenarioId' | 'rev' | 'steps' | 'timeoutSeconds' | 'onFailure'
> {
  const { accountId, id, rev, steps, timeoutSeconds, onFailure } = config;
  return { v: 1, accountId, scenarioId: id, rev, steps, timeoutSeconds, onFailure };
}

/** From the digits of a UUID that are random, so that replays draw the same ones. */
function randomTenBytes(): Uint8Array {
  const digits = uuid4().replaceAll('-', '');
  const random = digits.slice(0, 12) + digits.slice(-8);
  return Uint8Array.from({ length: 10 }, (_, index) =>
    Number.parseInt(random.slice(index * 2, index * 2 + 2), 16),
  );
}
