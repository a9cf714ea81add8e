/** Handles the calls that the SDK's own client makes to a Temporal server in the test's own process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ConnectionLike } from '@temporalio/client';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import {
  IDENTITY,
  NAMESPACE,
  RefusedCall,
  UNIMPLEMENTED,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from './protocol';
import type { Run } from './run';
import type { Server, Start, Started } from './server';
import { createUpdate, type Update } from './updates';

const api = temporal.api.workflowservice.v1;
type Call = (request: Uint8Array) => Promise<Uint8Array>;

const { UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_COMPLETED: COMPLETED } =
  temporal.api.enums.v1.UpdateWorkflowExecutionLifecycleStage;
/** Milliseconds of real time between two polls, while a worker runs an attempt that the test holds. */
const LOOK_MS = 2;

export function connectClient(server: Server): Client {
  const calls = new Map(Object.entries(callsOf(server)));
  const workflowService = api.WorkflowService.create(({ name }, request, callback) => {
    const call = calls.get(name);
    if (call === undefined) callback(new RefusedCall(UNIMPLEMENTED, `no ${name} in this process`));
    else void respond(call(request), callback);
  });
  const operatorService = temporal.api.operatorservice.v1.OperatorService.create(
    ({ name }, _request, callback) =>
      callback(new RefusedCall(UNIMPLEMENTED, `no ${name} in this process`)),
  );
  const connection: ConnectionLike = {
    workflowService,
    operatorService,
    plugins: [],
    close: async () => undefined,
    ensureConnected: async () => undefined,
    withDeadline: (_deadline, call) => call(),
    withMetadata: (_metadata, call) => call(),
    withAbortSignal: (_signal, call) => call(),
  };
  return new Client({ connection, namespace: NAMESPACE });
}

async function respond(
  answer: Promise<Uint8Array>,
  callback: (error: Error | null, response?: Uint8Array) => void,
): Promise<void> {
  let response: Uint8Array;
  try {
    response = await answer;
  } catch (error) {
    callback(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  callback(null, response);
}

interface Decoder<Request> {
  decode: (bytes: Uint8Array) => Request;
}

interface Encoder<Response> {
  encode: (response: Response) => { finish: () => Uint8Array };
}

function call<Request, Response>(
  request: Decoder<Request>,
  response: Encoder<Response>,
  answer: (request: Request) => Response | Promise<Response>,
): Call {
  return async (bytes) => response.encode(await answer(request.decode(bytes))).finish();
}

function callsOf(server: Server): Record<string, Call> {
  const updates = new Map<string, Update>();
  const open = (execution: temporal.api.common.v1.IWorkflowExecution | null | undefined): Run => {
    const { workflowId, runId } = execution ?? {};
    const run = server.require(workflowId ?? '', runId ?? '');
    if (!run.isOpen) throw new RefusedCall(5, 'workflow execution already completed');
    return run;
  };
  return {
    ...startCalls(server, updates),
    SignalWorkflowExecution: call(
      api.SignalWorkflowExecutionRequest,
      api.SignalWorkflowExecutionResponse,
      ({ workflowExecution, signalName, input, header }) => {
        const headers = header?.fields ?? {};
        open(workflowExecution).signal({ signalName, input: input?.payloads ?? [], headers });
        return {};
      },
    ),
    RequestCancelWorkflowExecution: call(
      api.RequestCancelWorkflowExecutionRequest,
      api.RequestCancelWorkflowExecutionResponse,
      ({ workflowExecution }) => {
        open(workflowExecution).requestCancel();
        return {};
      },
    ),
    TerminateWorkflowExecution: call(
      api.TerminateWorkflowExecutionRequest,
      api.TerminateWorkflowExecutionResponse,
      ({ workflowExecution, reason }) => {
        server.terminate(open(workflowExecution), reason);
        return {};
      },
    ),
    UpdateWorkflowExecution: call(
      api.UpdateWorkflowExecutionRequest,
      api.UpdateWorkflowExecutionResponse,
      (request) => update(open(request.workflowExecution), request, updates),
    ),
    PollWorkflowExecutionUpdate: call(
      api.PollWorkflowExecutionUpdateRequest,
      api.PollWorkflowExecutionUpdateResponse,
      async ({ updateRef }) => {
        const asked = updates.get(updateRef?.updateId ?? '');
        if (asked === undefined) throw new RefusedCall(5, 'there is no such update');
        const { workflowExecution = null, updateId = '' } = updateRef ?? {};
        const outcome = await asked.outcome;
        return { updateRef: { workflowExecution, updateId }, outcome, stage: COMPLETED };
      },
    ),
    ...readCalls(server),
    GetClusterInfo: call(api.GetClusterInfoRequest, api.GetClusterInfoResponse, () => ({
      serverVersion: '1.32.0',
      persistenceStore: 'memory',
    })),
    GetSystemInfo: call(api.GetSystemInfoRequest, api.GetSystemInfoResponse, () => ({
      serverVersion: '1.32.0',
    })),
  };
}

function startCalls(server: Server, updates: Map<string, Update>): Record<string, Call> {
  const ids = ({ run, isNew }: Started) => ({ runId: run.start.runId, started: isNew });
  return {
    StartWorkflowExecution: call(
      api.StartWorkflowExecutionRequest,
      api.StartWorkflowExecutionResponse,
      (request) => ids(start(server, request)),
    ),
    SignalWithStartWorkflowExecution: call(
      api.SignalWithStartWorkflowExecutionRequest,
      api.SignalWithStartWorkflowExecutionResponse,
      (request) => {
        const { USE_EXISTING } = {
          USE_EXISTING: WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
        };
        const conflict = request.workflowIdConflictPolicy || USE_EXISTING;
        request.workflowIdConflictPolicy = conflict;
        const started = start(server, request);
        const { signalName, signalInput, header } = request;
        const input = signalInput?.payloads ?? [];
        started.run.signal({ signalName, input, headers: header?.fields ?? {} });
        return ids(started);
      },
    ),
    ExecuteMultiOperation: call(
      api.ExecuteMultiOperationRequest,
      api.ExecuteMultiOperationResponse,
      async ({ operations: [first, second] }) => {
        const started = start(server, first?.startWorkflow ?? {});
        const updateWorkflow = await update(started.run, second?.updateWorkflow ?? {}, updates);
        return { responses: [{ startWorkflow: ids(started) }, { updateWorkflow }] };
      },
    ),
  };
}

function start(
  server: Server,
  request: temporal.api.workflowservice.v1.IStartWorkflowExecutionRequest,
): Started {
  const given: Start = {
    workflowId: request.workflowId ?? '',
    type: request.workflowType?.name ?? '',
    taskQueue: request.taskQueue?.name ?? '',
    input: request.input?.payloads ?? [],
    headers: request.header?.fields ?? {},
    searchAttributes: request.searchAttributes?.indexedFields ?? {},
    memo: request.memo?.fields ?? {},
    priority: request.priority ?? null,
    userMetadata: request.userMetadata ?? null,
    executionTimeoutMs: optionalTsToMs(request.workflowExecutionTimeout) ?? 0,
  };
  return server.start(given, {
    reuse:
      request.workflowIdReusePolicy ||
      WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
    conflict:
      request.workflowIdConflictPolicy || WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
  });
}

async function update(
  run: Run,
  { request, waitPolicy }: temporal.api.workflowservice.v1.IUpdateWorkflowExecutionRequest,
  updates: Map<string, Update>,
): Promise<temporal.api.workflowservice.v1.IUpdateWorkflowExecutionResponse> {
  const id = request?.meta?.updateId ?? '';
  const { workflowId, runId } = run.start;
  const asked = updates.get(id) ?? createUpdate(request ?? {});
  if (!updates.has(id)) run.update(asked);
  updates.set(id, asked);
  const updateRef = { workflowExecution: { workflowId, runId }, updateId: id };
  const stage = waitPolicy?.lifecycleStage ?? COMPLETED;
  if (stage < COMPLETED) {
    await asked.accepted;
    return { updateRef, stage };
  }
  return { updateRef, outcome: await asked.outcome, stage: COMPLETED };
}

function readCalls(server: Server): Record<string, Call> {
  return {
    QueryWorkflow: call(
      api.QueryWorkflowRequest,
      api.QueryWorkflowResponse,
      async ({ execution, query }) => {
        const run = server.require(execution?.workflowId ?? '', execution?.runId ?? '');
        const asked = {
          queryId: 'query',
          queryType: query?.queryType ?? '',
          arguments: query?.queryArgs?.payloads ?? [],
          headers: query?.header?.fields ?? {},
        };
        const { succeeded, failed } = await run.query(asked);
        if (failed) throw new RefusedCall(3, failed.message ?? '');
        return { queryResult: { payloads: succeeded?.response ? [succeeded.response] : [] } };
      },
    ),
    DescribeWorkflowExecution: call(
      api.DescribeWorkflowExecutionRequest,
      api.DescribeWorkflowExecutionResponse,
      ({ execution }) =>
        describe(server.require(execution?.workflowId ?? '', execution?.runId ?? '')),
    ),
    GetWorkflowExecutionHistory: call(
      api.GetWorkflowExecutionHistoryRequest,
      api.GetWorkflowExecutionHistoryResponse,
      async ({ execution, waitNewEvent }) => {
        const run = server.require(execution?.workflowId ?? '', execution?.runId ?? '');
        if (!waitNewEvent) return { history: { events: [...run.history.read()] } };
        await passUntilEnd(server, run);
        return { history: { events: [...run.history.read(-1)] } };
      },
    ),
  };
}

/**
 * Lets time pass until the run ends, because a client waits for its result. While a worker is running an activity of
 * the run, waits for the worker instead.
 */
async function passUntilEnd({ time }: Server, run: Run): Promise<void> {
  while (run.isOpen) {
    const isPassed = await time.step(() => run.isOpen && !run.commands.isWorkedOn());
    if (!isPassed && run.isOpen) await sleep(LOOK_MS);
  }
}

function describe(run: Run): temporal.api.workflowservice.v1.IDescribeWorkflowExecutionResponse {
  const { start, history, status, closedMs } = run;
  const { workflowId, runId, type, taskQueue, startMs, memo, priority } = start;
  return api.DescribeWorkflowExecutionResponse.fromObject({
    executionConfig: { taskQueue: { name: taskQueue } },
    workflowExecutionInfo: {
      execution: { workflowId, runId },
      type: { name: type },
      startTime: msToTs(startMs),
      executionTime: msToTs(startMs),
      ...(closedMs !== null && { closeTime: msToTs(closedMs) }),
      status,
      historyLength: history.length(),
      memo: { fields: memo },
      searchAttributes: { indexedFields: run.searchAttributes },
      taskQueue,
      ...(priority !== null && { priority }),
    },
    pendingActivities: run.isOpen
      ? run.commands.activities.pending().map((task) => ({
          activityId: task.plan.activityId,
          activityType: { name: task.plan.activityType },
          state: task.state(),
          attempt: task.attempt(),
          lastWorkerIdentity: IDENTITY,
        }))
      : [],
  });
}
