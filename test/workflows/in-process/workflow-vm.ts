/**
 * Runs workflows in the SDK's own sandbox. Does what a worker does between an activation and its completion. The
 * workflows are evicted and rebuilt as in a worker's cache, and must then return the same completions.
 */
import { isDeepStrictEqual } from 'node:util';
import { Script } from 'node:vm';
import { TypedSearchAttributes } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time';
import { coresdk } from '@temporalio/proto';
import { parseWorkflowCode } from '@temporalio/worker/lib/worker';
import type { Workflow } from '@temporalio/worker/lib/workflow/interface';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm';
import type { WorkflowInfo } from '@temporalio/workflow';
import { createUnsafeRandomSource } from '@temporalio/workflow/lib/random-helpers';
import { createRandom } from '../../support/random';
import { patchJobs } from './patch-commands';
import {
  type Activation,
  type Command,
  type Failure,
  inOrder,
  NAMESPACE,
  TASK_TIMEOUT_MS,
} from './protocol';
import { randomnessSeed } from './randomness-seed';

const { WorkflowActivation } = coresdk.workflow_activation;
const { WorkflowActivationCompletion } = coresdk.workflow_completion;

/**
 * Upper bound of the time to load the modules of all workflows, in milliseconds. It is longer than loading takes, and
 * shorter than a test waits.
 */
const PREPARES_MAX_MS = 20_000;

/** The real `Date`, because the sandbox does not accept a date of a virtual clock. */
const RealDate = Date;

/** Data about the run that a workflow has from its first activation. */
export interface RunIdentity {
  readonly workflowId: string;
  readonly runId: string;
  readonly firstRunId: string;
  readonly continuedFromRunId: string | null;
  readonly type: string;
  readonly taskQueue: string;
  readonly startMs: number;
  readonly parent: { readonly workflowId: string; readonly runId: string } | null;
}

/** The completion of one activation, with its commands or its failure. */
export type Completion =
  | { readonly kind: 'commands'; readonly commands: readonly Command[]; readonly flags: number[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

export type CreateSandbox = (identity: RunIdentity) => Promise<Workflow>;

/** Creates sandboxes for workflows. The names of local activities may be added later. */
export function createSandboxes(code: string, activityNames: Set<string>): CreateSandbox {
  const bundle = parseWorkflowCode(code);
  const script = new Script(code, { filename: bundle.filename });
  const creator = new ReusableVMWorkflowCreator(script, bundle, PREPARES_MAX_MS, activityNames);
  // Switches the time limit off. With a limit, the sandbox would start a thread at each call, which costs more than the
  // workflow itself.
  Object.assign(creator, { isolateExecutionTimeoutMs: undefined });
  return (identity) =>
    creator.createWorkflow({
      info: infoOf(identity),
      randomnessSeed: randomnessSeed(identity.runId),
      now: identity.startMs,
      showStackTraceSources: false,
    });
}

function infoOf(identity: RunIdentity): WorkflowInfo {
  const { workflowId, runId, firstRunId, continuedFromRunId, type, taskQueue, parent } = identity;
  const startTime = new RealDate(identity.startMs);
  return {
    workflowId,
    runId,
    workflowType: type,
    searchAttributes: {},
    typedSearchAttributes: new TypedSearchAttributes(),
    ...(parent !== null && { parent: { ...parent, namespace: NAMESPACE } }),
    taskQueue,
    namespace: NAMESPACE,
    firstExecutionRunId: firstRunId,
    originalExecutionRunId: runId,
    ...(continuedFromRunId !== null && { continuedFromExecutionRunId: continuedFromRunId }),
    startTime,
    runStartTime: startTime,
    taskTimeoutMs: TASK_TIMEOUT_MS,
    attempt: 1,
    historyLength: 1,
    historySize: 0,
    continueAsNewSuggested: false,
    targetWorkerDeploymentVersionChanged: false,
    suggestedContinueAsNewReasons: [],
    currentBuildId: '',
    unsafe: {
      now: () => Date.now(),
      isReplaying: false,
      isReplayingHistoryEvents: false,
      random: createUnsafeRandomSource(createRandom(1)),
    },
  };
}

/** One workflow in the cache of a worker. */
export interface CachedWorkflow {
  readonly activate: (activation: Activation) => Promise<Completion>;
  /** Rebuilds the workflow, which must return the same completions again. Drops activations after `upTo`. */
  readonly evict: (upTo: number) => Promise<void>;
  /** Returns the number of completed activations. */
  readonly length: () => number;
  readonly dispose: () => Promise<void>;
}

interface Answered {
  readonly activation: Activation;
  readonly completion: Extract<Completion, { readonly kind: 'commands' }>;
}

export function cacheWorkflow(create: CreateSandbox, identity: RunIdentity): CachedWorkflow {
  const answered: Answered[] = [];
  const flags = new Set<number>();
  let sandbox: Workflow | null = null;
  const ask = async (workflow: Workflow, activation: Activation): Promise<Completion> => {
    // Copies only queries, because the sandbox itself copies all other activations.
    const completion = await workflow.activate(
      isQuery(activation) ? WorkflowActivation.fromObject(activation) : { ...activation },
    );
    await workflow.getAndResetSinkCalls();
    // Converts the completion through the wire format, because objects of the sandbox have other prototypes.
    const bytes = WorkflowActivationCompletion.encode(completion).finish();
    const { successful, failed } = WorkflowActivationCompletion.decode(bytes);
    if (!successful) return { kind: 'failed', failure: failed?.failure ?? {} };
    const commands = (successful.commands ?? []).map((command) =>
      coresdk.workflow_commands.WorkflowCommand.fromObject(command),
    );
    return { kind: 'commands', commands, flags: successful.usedInternalFlags ?? [] };
  };
  const rebuild = async (): Promise<Workflow> => {
    const workflow = await create(identity);
    for (const { activation, completion } of answered) {
      const again = await ask(workflow, {
        ...activation,
        jobs: inOrder([...(activation.jobs ?? []), ...patchJobs(completion.commands)]),
        isReplaying: true,
        availableInternalFlags: [...flags],
      });
      if (!isSame(again, completion)) {
        const said = JSON.stringify({ first: completion, again });
        throw new Error(`${identity.workflowId} is not deterministic: ${said}`);
      }
    }
    sandbox = workflow;
    return workflow;
  };
  const dispose = async (): Promise<void> => {
    const forgotten = sandbox;
    sandbox = null;
    await forgotten?.dispose();
  };
  return {
    activate: async (activation) => {
      const workflow = sandbox ?? (await rebuild());
      const completion = await ask(workflow, activation);
      if (completion.kind === 'commands' && !isQuery(activation)) {
        answered.push({ activation, completion });
        for (const flag of completion.flags) flags.add(flag);
      }
      return completion;
    },
    evict: async (upTo) => {
      await dispose();
      answered.splice(upTo);
    },
    length: () => answered.length,
    dispose,
  };
}

function isQuery({ jobs }: Activation): boolean {
  return jobs?.some(({ queryWorkflow }) => queryWorkflow) === true;
}

function isSame(one: Completion, other: Completion): boolean {
  if (one.kind !== 'commands' || other.kind !== 'commands') return false;
  return isDeepStrictEqual(plain(one.commands), plain(other.commands));
}

function plain(commands: readonly Command[]): unknown {
  return JSON.parse(JSON.stringify(commands));
}

/** Returns the fields that all activations of one workflow task share. */
export function activationAt(
  runId: string,
  { nowMs, historyLength, suggested }: { nowMs: number; historyLength: number; suggested: boolean },
): Activation {
  return {
    runId,
    timestamp: msToTs(nowMs),
    isReplaying: false,
    historyLength,
    continueAsNewSuggested: suggested,
    availableInternalFlags: [],
  };
}
