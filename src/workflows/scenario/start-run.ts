/**
 * Builds the inputs of runs, and starts runs that are child workflows. The parent waits for the end of a child, but the
 * child may run longer than its parent.
 */

import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { CancelledFailure, ChildWorkflowFailure, startChild } from '@temporalio/workflow';
import type { RunTrigger } from '../../contracts/records';
import type { ScenarioRunInput, ScenarioRunResult } from '../../contracts/scenario-run';
import {
  type ManualRun,
  type RequestedRun,
  type ScenarioConfig,
  scenarioRunWorkflowId,
  WORKFLOW_TYPES,
} from '../../contracts/workflows';
import { buildId } from '../../domain/definitions/ids';
import { REPORT_SLACK_MS } from '../loop/probe-timeouts';
import { createTenRandomBytes } from '../loop/random-bytes';
import type { FinishedRun } from '../loop/seen-certificates';
import {
  accountKey,
  formatInstant,
  kindKey,
  regionsKey,
  resourceKey,
  stateKey,
  triggerKey,
} from '../loop/show';

export interface StartedRun {
  readonly input: ScenarioRunInput;
  readonly result: () => Promise<ScenarioRunResult>;
}

/** Builds the input of a scheduled run. Its id contains the scheduled time. */
export function buildScheduledRunInput(
  config: ScenarioConfig,
  region: string,
  { slotMs, trigger }: { readonly slotMs: number; readonly trigger: RunTrigger },
): ScenarioRunInput {
  return {
    ...commonInput(config),
    runId: buildId('run', slotMs, createTenRandomBytes()),
    region,
    trigger,
    label: null,
    source: null,
    slotMs,
    queuedAtMs: Date.now(),
    variables: [],
    countInUptime: true,
    notify: true,
  };
}

/** Builds the input of a run that people asked for. */
export function buildManualRunInput(
  config: ScenarioConfig,
  { runs: _runs, queuedAtMs, inEnvironment, ...origin }: ManualRun,
  requested: RequestedRun,
): ScenarioRunInput {
  const common = { ...commonInput(config), ...inEnvironment };
  return { ...common, ...origin, ...requested, slotMs: queuedAtMs, queuedAtMs };
}

/** Starts the run. Returns null if a run with this id was started before. */
export async function startRun(input: ScenarioRunInput): Promise<StartedRun | null> {
  try {
    const child = await startChild<(input: ScenarioRunInput) => Promise<ScenarioRunResult>>(
      WORKFLOW_TYPES.scenarioRun,
      {
        workflowId: scenarioRunWorkflowId(input.runId),
        args: [input],
        parentClosePolicy: 'ABANDON',
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        staticSummary: `${input.region} · ${input.trigger} · ${formatInstant(input.slotMs)}`,
        staticDetails: `[The record of this run](/scenarios/${input.scenarioId}/runs/${input.runId})`,
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

/**
 * Waits for the end of the run. A run that was terminated from outside counts as an error of Keepwatch and not as a
 * failure.
 */
export async function followRun(run: StartedRun): Promise<FinishedRun> {
  const { runId, region } = run.input;
  try {
    const ended = await run.result();
    return { ...ended, runId, region };
  } catch (error) {
    if (!(error instanceof ChildWorkflowFailure)) throw error;
    const status = error.cause instanceof CancelledFailure ? 'cancelled' : 'error';
    return { runId, region, status, durationMs: null, failure: null, certificates: [] };
  }
}

function commonInput(
  config: ScenarioConfig,
): Pick<
  ScenarioRunInput,
  | 'v'
  | 'accountId'
  | 'scenarioId'
  | 'revision'
  | 'steps'
  | 'timeoutSeconds'
  | 'onFailure'
  | 'inStretches'
  | 'storedLate'
  | 'progress'
> {
  const { accountId, id, revision, steps, timeoutSeconds, onFailure } = config;
  return {
    v: 1,
    accountId,
    scenarioId: id,
    revision,
    steps,
    timeoutSeconds,
    onFailure,
    inStretches: true,
    storedLate: true,
    progress: null,
  };
}

/** Returns the longest duration of a run in milliseconds, without outages of Keepwatch itself. */
export function computeLongestRunMs({ timeoutSeconds, steps }: ScenarioConfig): number {
  const beyondMs = steps.map(({ always, budgetMs, waitMs, until }) => {
    const cleanUpMs = always ? budgetMs + REPORT_SLACK_MS : 0;
    return cleanUpMs + waitMs + (until?.forMs ?? 0);
  });
  return beyondMs.reduce((sum, ms) => sum + ms, timeoutSeconds * 1_000 + 60_000);
}
