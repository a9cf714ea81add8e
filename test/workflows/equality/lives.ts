/**
 * Three scripts in which no step depends on speed. Each script waits until the workflow has nothing more to do. The
 * next slot is an hour away.
 */
import type { WorkflowHandle } from '@temporalio/client';
import { PING_SIGNAL, type PingKind } from '../../../src/contracts/heartbeat';
import {
  CONFIGURE_UPDATE,
  monitorWorkflowId,
  PENDING_RUNS_QUERY,
  SIGNALS,
  scenarioWorkflowId,
} from '../../../src/contracts/workflows';
import {
  buildScenarioTarget,
  buildTarget,
  configureTarget,
} from '../../../src/temporal/workflow-gateway';
import {
  heartbeatConfig,
  monitorConfig,
  NO_ALERTS,
  outcomeOf,
  requestOf,
  scenarioConfig,
  stepPlan,
} from '../../support/outcomes';
import type { HistoryEvent } from '../in-process/protocol';
import { createGate } from '../loop/random-orders';
import type { VirtualService } from '../virtual-service';
import { attributesOf, kindOf, type PlainEvent, plain, plainHistory } from './plain-history';

/** The result of running one script. */
export interface Life {
  /** The histories of all runs of the workflow, and of the workflows that it started. */
  readonly histories: readonly (readonly PlainEvent[])[];
  readonly results: unknown;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DEADLINE_MS = 60_000;
const TO_DESK = [
  { key: 'desk', type: 'email', channelId: null, masked: 'd***', sealed: 'sealed' },
] as const;
const ALERTS = { ...NO_ALERTS, targets: TO_DESK };

export async function liveMonitor(service: VirtualService): Promise<Life> {
  const { ledger, client } = service;
  const anchorMs = service.nowMs();
  const config = monitorConfig('mon_equal', { anchorMs, intervalMs: HOUR_MS });
  const subject = new Subject(service, monitorWorkflowId(config.id));
  const request = (requestId: string) => ({ requestId, requestedAtMs: anchorMs });
  await configureTarget(client, buildTarget(config), DEADLINE_MS);
  await subject.rest();
  await subject.signal(SIGNALS.runNow, request('req_again'));
  service.answer(config.id, () => outcomeOf('down'));
  const alerting = { ...config, version: 2, revision: 2, alerts: ALERTS };
  const updated = await subject.update(alerting);
  const refused = await subject.update({ ...alerting, version: 3, intervalMs: 1 });
  await subject.signal(SIGNALS.pause, { by: 'ops', reason: 'a move' });
  await subject.signal(SIGNALS.resume, {});
  service.answer(config.id, () => {
    throw new Error('the probe has a fault');
  });
  await subject.signal(SIGNALS.runNow, request('req_fault'));
  service.answer(config.id, () => outcomeOf('up'));
  await subject.signal(SIGNALS.runNow, request('req_up'));
  ledger.isAway = true;
  await subject.ask(SIGNALS.runNow, request('req_away'));
  await subject.rest('recordWaiting');
  ledger.isAway = false;
  await subject.rest();
  const span = { mode: 'mute', fromMs: anchorMs + 50 * MINUTE_MS, toMs: anchorMs + HOUR_MS };
  await subject.signal(SIGNALS.planMaintenance, { asOfMs: anchorMs, spans: [span] });
  await subject.moveOn();
  const removed = await subject.remove();
  const checks = ledger.checks.filter(({ monitorId }) => monitorId === config.id);
  return subject.life({ updated, refused, removed, checks });
}

export async function liveScenario(service: VirtualService): Promise<Life> {
  const { ledger, client } = service;
  const anchorMs = service.nowMs();
  const steps = [
    stepPlan('log in'),
    stepPlan('order', { waitMs: 1_000 }),
    stepPlan('tidy', { always: true }),
  ];
  const config = scenarioConfig('scn_equal', { anchorMs, intervalMs: HOUR_MS, steps });
  const subject = new Subject(service, scenarioWorkflowId(config.id));
  const requestOfRun = (runId: string, region = 'eu-west') => ({
    ...requestOf([{ runId, region, variables: [] }], anchorMs),
    countInUptime: true,
    notify: true,
  });
  service.answer(config.id, ({ stepIndex }) => outcomeOf('up', stepIndex === 0 ? { a: 1 } : {}));
  await configureTarget(client, buildScenarioTarget(config), DEADLINE_MS);
  await subject.rest();
  service.answer(config.id, ({ stepIndex }) => outcomeOf(stepIndex === 1 ? 'down' : 'up'));
  const updated = await subject.update({ ...config, version: 2, alerts: ALERTS });
  await subject.signal(SIGNALS.runNow, requestOfRun('run_failed'));
  const gate = createGate();
  gate.close();
  service.answer(config.id, async ({ stepIndex }) => {
    if (stepIndex === 0) await gate.passage();
    return outcomeOf('up');
  });
  await subject.ask(SIGNALS.runNow, requestOfRun('run_cancelled'));
  await service.until('the step that is held', () =>
    service.sent.some(({ runId }) => runId === 'run_cancelled'),
  );
  await subject.rest('scenarioRunWorkflow');
  const pending = await subject.handle.query(PENDING_RUNS_QUERY);
  await subject.signal(SIGNALS.cancelRun, 'run_cancelled');
  gate.open();
  await subject.update({ ...config, version: 3, steps: [stepPlan('log in')] });
  await subject.ask(SIGNALS.runNow, requestOfRun('run_waiting', 'nowhere'));
  await subject.rest('runHttpStep');
  await subject.signal(SIGNALS.cancelRun, 'run_waiting');
  await subject.moveOn();
  const removed = await subject.remove();
  const slots = ledger.slots.filter(({ scenarioId }) => scenarioId === config.id);
  const runs = ledger.runs.filter(({ scenarioId }) => scenarioId === config.id);
  return subject.life({ updated, pending, removed, slots, runs });
}

/** Runs the script of a heartbeat. The heartbeat flaps, so that its workflow takes a path that a patch has added. */
export async function liveHeartbeat(service: VirtualService): Promise<Life> {
  const { ledger, client } = service;
  const anchorMs = service.nowMs();
  const config = heartbeatConfig('mon_equal_job', {}, { anchorMs, alerts: ALERTS });
  const subject = new Subject(service, monitorWorkflowId(config.id));
  const ping = async (kind: PingKind): Promise<void> => {
    await subject.nextInstant();
    const said = { exitCode: null, runId: '', failedOn: null, text: null };
    const of = { id: `png_${ledger.pings.length}`, accountId: 'acc_1', monitorId: config.id };
    ledger.pings.push({ ...of, ...said, atMs: service.nowMs(), kind });
    await subject.signal(PING_SIGNAL);
  };
  await configureTarget(client, buildTarget(config), DEADLINE_MS);
  await subject.rest();
  for (const kind of ['success', 'fail', 'success', 'fail', 'success', 'fail'] as const)
    await ping(kind);
  const pause = { paused: true, pausedAtMs: anchorMs } as const;
  const paused = await subject.update({ ...config, ...pause, version: 2 });
  const resumed = await subject.update({ ...config, version: 3 });
  await subject.moveOn();
  await ping('success');
  const removed = await subject.remove();
  const checks = ledger.checks.filter(({ monitorId }) => monitorId === config.id);
  return subject.life({ paused, resumed, removed, checks });
}

/** Controls a workflow under test, and reads its history. */
class Subject {
  readonly handle: WorkflowHandle;
  private readonly runIds: string[] = [];
  /** The number of watches in earlier runs. */
  private watchesBefore = 0;

  constructor(
    private readonly service: VirtualService,
    private readonly workflowId: string,
  ) {
    this.handle = service.client.workflow.getHandle(workflowId);
  }

  async signal(name: string, ...args: unknown[]): Promise<void> {
    await this.ask(name, ...args);
    await this.rest();
  }

  /** Sends a signal without waiting for its effect. */
  async ask(name: string, ...args: unknown[]): Promise<void> {
    await this.nextInstant();
    await this.handle.signal(name, ...args);
  }

  /** Moves the time, because a slot is stored only once per instant. */
  nextInstant(): Promise<void> {
    return this.service.pass(10);
  }

  /** Resolves to the response to the update, or to its refusal. */
  async update(config: object): Promise<unknown> {
    await this.nextInstant();
    const answer = await this.handle
      .executeUpdate<unknown, [object]>(CONFIGURE_UPDATE, { args: [config] })
      .catch((error: Error) => String(error.cause));
    await this.rest();
    return answer;
  }

  /**
   * Resolves when everything that the workflow has started is done, except the activities in `open`, and a probe runs
   * each watch.
   */
  async rest(...open: readonly string[]): Promise<void> {
    await this.service.until(`rest of ${this.workflowId}`, async () => {
      const events = await this.events();
      const watches = this.watchesBefore + countWatches(events);
      const opened = this.service.ledger.openedWatches.filter((id) => this.workflowId.endsWith(id));
      return isAtRest(events, new Set([...open, WATCH])) && opened.length >= watches;
    });
  }

  /** Makes the workflow continue as new. */
  async moveOn(): Promise<void> {
    const before = await this.noteRun();
    this.watchesBefore += countWatches(await this.events());
    await this.handle.signal(SIGNALS.moveOn);
    await this.service.until('its next run', async () => {
      const { runId } = await this.handle.describe();
      return runId !== before;
    });
    await this.rest();
  }

  async remove(): Promise<unknown> {
    await this.noteRun();
    await this.handle.signal(SIGNALS.remove);
    return this.handle.result();
  }

  async life(results: object): Promise<Life> {
    const histories: (readonly PlainEvent[])[] = [];
    for (const runId of this.runIds) {
      const events = await this.events(this.workflowId, runId);
      histories.push(plainHistory(events));
      for (const { childWorkflowExecutionStartedEventAttributes: child } of events)
        if (child)
          histories.push(
            plainHistory(await this.events(child.workflowExecution?.workflowId ?? '')),
          );
    }
    return { histories, results: plain(results) };
  }

  private async noteRun(): Promise<string> {
    const { runId } = await this.handle.describe();
    this.runIds.push(runId);
    return runId;
  }

  private async events(workflowId = this.workflowId, runId?: string) {
    const handle = this.service.client.workflow.getHandle(workflowId, runId);
    return (await handle.fetchHistory()).events ?? [];
  }
}

const BEGIN =
  /^(workflowTaskScheduled|activityTaskScheduled|startChildWorkflowExecutionInitiated|requestCancelExternalWorkflowExecutionInitiated)$/;
const END =
  /^((workflowTask|activityTask|childWorkflowExecution)(Completed|Failed|TimedOut|Canceled)|externalWorkflowExecutionCancelRequested|requestCancelExternalWorkflowExecutionFailed)$/;

function isAtRest(events: readonly HistoryEvent[], open: ReadonlySet<string>): boolean {
  const begun = new Set<number>();
  for (const event of events) {
    const kind = kindOf(event);
    if (BEGIN.test(kind) && !open.has(nameOf(event))) begun.add(Number(event.eventId));
    const { scheduledEventId, initiatedEventId } = attributesOf(event);
    // A running watch counts as idle. A watch that is being cancelled does not.
    if (kind === 'activityTaskCancelRequested') begun.add(Number(scheduledEventId));
    if (END.test(kind)) begun.delete(Number(scheduledEventId ?? initiatedEventId));
  }
  return begun.size === 0;
}

const WATCH = 'watchMonitor';

function countWatches(events: readonly HistoryEvent[]): number {
  return events.filter((event) => nameOf(event) === WATCH).length;
}

function nameOf({
  activityTaskScheduledEventAttributes: activity,
  startChildWorkflowExecutionInitiatedEventAttributes: child,
}: HistoryEvent): string {
  return activity?.activityType?.name ?? child?.workflowType?.name ?? '';
}
