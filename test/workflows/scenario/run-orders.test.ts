/**
 * Tests runs in any order of events. While steps pass, fail, wait and are repeated, probes and orchestrators are lost,
 * the database is unavailable, and runs are cancelled and deleted. Each run ends. Its record agrees with what the
 * target received at every step. A request that may have been sent is never sent twice.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import fc from 'fast-check';
import { PROBE_STOPPED } from '../../../src/contracts/activities';
import type { RunRecord, RunStatus, StepStatus } from '../../../src/contracts/records';
import type { ScenarioRunInput } from '../../../src/contracts/scenario-run';
import {
  ORCHESTRATOR_QUEUE,
  scenarioRunWorkflowId,
  scenarioWorkflowId,
  WORKFLOW_TYPES,
} from '../../../src/contracts/workflows';
import { outcomeOf, requestOf, scenarioConfig, stepPlan } from '../../support/outcomes';
import { createGate, endOf, ORDERS } from '../loop/random-orders';
import {
  type ProgressFate,
  type SentStep,
  startVirtualService,
  type VirtualService,
} from '../virtual-service';

/**
 * Time limit of a step in milliseconds. A lost probe is noticed five seconds after this limit. If a request is held
 * back for that long, its probe may also count as lost.
 */
const BUDGET_MS = 100;
const SURELY_IN_TIME_MS = 4_000;
/** A large value that is passed to every step, so that a step with many repeats continues as new. */
const LARGE = 'x'.repeat(150_000);
const REPEATED = { everyMs: 50, forMs: 3_000 };

const plans = fc.array(
  fc.record({
    method: fc.constantFrom('GET' as const, 'POST' as const),
    always: fc.boolean(),
    waitMs: fc.constantFrom(0, 0, 200),
    isRepeated: fc.boolean(),
    responses: fc.array(
      fc.constantFrom('up' as const, 'up' as const, 'degraded', 'down' as const),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
  }),
  { minLength: 2, maxLength: 5 },
);
const acts = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(5, 50, 500) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('hold' as const), isHeld: fc.boolean() }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('lose probe' as const), isTold: fc.boolean() }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('mark' as const),
        fate: fc.constantFrom(
          'dies before' as const,
          'dies behind' as const,
          'not acknowledged' as const,
        ),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('database' as const), isAway: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.constant({ kind: 'lose orchestrator' as const }) },
    fc.constant({ kind: 'cancel' as const }),
    fc.constant({ kind: 'delete' as const }),
  ),
  { minLength: 4, maxLength: 12 },
);
const orders = fc.record({
  plans,
  acts,
  onFailure: fc.constantFrom('stop' as const, 'continue' as const),
  isLarge: fc.boolean(),
  inStretches: fc.boolean(),
});
type Order = typeof orders extends fc.Arbitrary<infer One> ? One : never;
type Act = Order['acts'][number];
type Response = Order['plans'][number]['responses'][number];

let service: VirtualService;
let count = 0;

beforeAll(async () => {
  service = await startVirtualService(['eu-west']);
});
afterAll(() => service.stop());

/** A request as the target saw it. If the response was late, it is unknown whether the run received it. */
interface Sending {
  readonly step: SentStep;
  came: Response | 'lost' | 'late' | null;
}

class Played {
  readonly id: string;
  readonly runId: string;
  readonly sendings: Sending[] = [];
  readonly probes = createGate();
  /** Holds the calls of probes that died silently until the end of the test. */
  readonly lost = createGate();
  losses: ('told' | 'died')[] = [];
  /** Steps that were never sent, because the probe died after the progress report before them. */
  readonly unsent = new Set<number>();
  isCancelled = false;
  isDeleted = false;

  constructor(readonly order: Order) {
    count += 1;
    this.id = `scn_run_order_${count}`;
    this.runId = `run_order_${count}`;
    this.lost.close();
    service.answer(this.id, (step) => this.respond(step));
  }

  private async respond(step: SentStep) {
    const { responses } = this.order.plans[step.stepIndex] ?? { responses: [] };
    const nth = this.sendings.filter((one) => one.step.stepIndex === step.stepIndex).length;
    const sending: Sending = { step, came: null };
    this.sendings.push(sending);
    const loss = this.losses.shift();
    const beganAtMs = Date.now();
    if (loss === 'died') {
      sending.came = 'lost';
      await this.lost.passage();
    }
    await this.probes.passage();
    if (loss === 'told') {
      sending.came = 'lost';
      throw ApplicationFailure.create({ type: PROBE_STOPPED, nonRetryable: true });
    }
    const response = responses[nth % responses.length] ?? 'up';
    sending.came = Date.now() - beganAtMs < SURELY_IN_TIME_MS ? response : 'late';
    return outcomeOf(response, response === 'down' ? {} : { [nameOf(step.stepIndex)]: nth });
  }

  /** Sets the fate of the next progress report. Records what is then known about the step. */
  meet(fate: ProgressFate): void {
    let isMet = false;
    service.atProgress(({ outcomes }) => {
      if (isMet) return 'kept';
      isMet = true;
      const last = this.sendings.at(-1);
      if (fate === 'dies before' && last !== undefined) last.came = 'lost';
      if (fate === 'dies behind') this.unsent.add((last?.step.stepIndex ?? 0) + 1);
      return outcomes.length > 0 ? fate : 'kept';
    });
  }

  sendingsOf(index: number): readonly Sending[] {
    return this.sendings.filter(({ step }) => step.stepIndex === index);
  }
}

const nameOf = (index: number) => `of${index}`;

function inputOf({ id, runId, order }: Played) {
  const { plans: planned, onFailure, isLarge, inStretches } = order;
  const steps = planned.map(({ method, always, waitMs, isRepeated }, index) =>
    stepPlan(`step ${index}`, {
      method,
      always,
      waitMs,
      budgetMs: BUDGET_MS,
      until: isRepeated ? REPEATED : null,
    }),
  );
  const input: ScenarioRunInput = {
    v: 1,
    accountId: 'acc_1',
    scenarioId: id,
    revision: 1,
    runId,
    region: 'eu-west',
    trigger: 'api',
    label: null,
    source: null,
    slotMs: 0,
    queuedAtMs: 0,
    variables: isLarge ? [{ name: 'large', value: LARGE }] : [],
    steps,
    timeoutSeconds: 300,
    onFailure,
    countInUptime: false,
    notify: false,
    ...(inStretches && { inStretches }),
    progress: null,
  };
  return input;
}

async function act(played: Played, given: Act): Promise<void> {
  const { ledger, client } = service;
  if (given.kind === 'pass') await service.pass(given.ms);
  else if (given.kind === 'hold') played.probes[given.isHeld ? 'close' : 'open']();
  else if (given.kind === 'lose probe') played.losses = [given.isTold ? 'told' : 'died'];
  else if (given.kind === 'mark') played.meet(given.fate);
  else if (given.kind === 'database') ledger.isAway = given.isAway;
  else if (given.kind === 'lose orchestrator') await service.replaceOrchestrator();
  else if (given.kind === 'delete') {
    played.isDeleted = true;
    ledger.gone.add(played.id);
  } else {
    played.isCancelled = true;
    await client.workflow
      .getHandle(scenarioRunWorkflowId(played.runId))
      .cancel()
      .catch(() => undefined);
  }
}

async function play(order: Order): Promise<Played> {
  const played = new Played(order);
  const workflowId = scenarioRunWorkflowId(played.runId);
  const args = [inputOf(played)];
  const options = { workflowId, taskQueue: ORCHESTRATOR_QUEUE, args };
  await service.client.workflow.start(WORKFLOW_TYPES.scenarioRun, options);
  try {
    for (const given of order.acts) await act(played, given);
    played.losses = [];
    service.atProgress(() => 'kept');
    played.probes.open();
    service.ledger.isAway = false;
    expect(await endOf(service, workflowId)).toBe('COMPLETED');
  } finally {
    service.ledger.isAway = false;
    played.probes.open();
    played.lost.open();
  }
  return played;
}

/** Expects that no request that may have been sent is sent twice or out of order. */
function expectSentOnce({ order, sendings, unsent }: Played): void {
  const indexes = sendings.map(({ step }) => step.stepIndex);
  expect(indexes).toEqual(indexes.toSorted((one, other) => one - other));
  for (const [index, { method, isRepeated, always }] of order.plans.entries()) {
    const came = sendings.filter(({ step }) => step.stepIndex === index).map((one) => one.came);
    const unheard = came.findIndex((one) => one === 'lost' || one === 'late');
    const after = unheard === -1 ? 0 : came.length - 1 - unheard;
    const isOver = method === 'POST' && came[unheard] === 'lost';
    expect({ index, came, after }).toEqual({ index, came, after: isOver ? 0 : after });
    if (!isRepeated) expect(came.length).toBeLessThanOrEqual(unheard === -1 ? 1 : 2);
    if (always && !unsent.has(index)) expect(came.length).toBeGreaterThan(0);
  }
}

/** Returns the status of a step whose last request had this fate. null if the status is unknown. */
function statusAfter(came: Sending['came']): StepStatus | null {
  if (came === 'late') return null;
  if (came === 'lost' || came === null) return 'error';
  return came === 'down' ? 'failed' : 'passed';
}

/**
 * Compares the record with a walk through the plan. The record may differ only for steps that a cancellation cut short.
 */
function expectTruth(played: Played, run: RunRecord): void {
  const { order, isCancelled } = played;
  let isStopped = false;
  for (const [index, { always }] of order.plans.entries()) {
    const came = played.sendingsOf(index).map((one) => one.came);
    const status = run.steps[index]?.status;
    const isCut =
      isCancelled && !always && run.steps[index]?.outcome?.failure?.code === 'cancelled';
    const isCalledOff = isStopped || (run.status === 'cancelled' && came.length === 0);
    const isLostUnsent = came.length === 0 && played.unsent.has(index);
    const isSkipped = !always && !isCut && !isLostUnsent && isCalledOff;
    const wanted = isSkipped ? 'skipped' : isCut ? 'error' : statusAfter(came.at(-1) ?? null);
    expect({ index, came, status }).toEqual({ index, came, status: wanted ?? status });
    if (isSkipped) expect(came).toEqual([]);
    if (isCut) expect(run.status).toBe('cancelled');
    isStopped ||= status !== 'passed' && (order.onFailure === 'stop' || isCut);
  }
  if (run.status !== 'cancelled') expect(run.status).toBe(statusOf(played, run));
  else expect(isCancelled).toBe(true);
}

function statusOf({ sendings }: Played, { steps }: RunRecord): RunStatus {
  const broken = steps.find(({ status }) => status === 'failed' || status === 'error')?.status;
  if (broken !== undefined) return broken === 'failed' ? 'failed' : 'error';
  const last = steps.map(({ index }) => sendings.findLast(({ step }) => step.stepIndex === index));
  return last.some((one) => one?.came === 'degraded') ? 'degraded' : 'passed';
}

/** Expects that each step got only the values that earlier passed steps had extracted. */
function expectHandedOn({ order, sendings }: Played, run: RunRecord): void {
  for (const { step } of sendings) {
    const earlier = run.steps.slice(0, step.stepIndex).filter(({ status }) => status === 'passed');
    const names = earlier.map(({ index }) => nameOf(index));
    expect(step.vars?.map(({ name }) => name)).toEqual([
      ...(order.isLarge ? ['large'] : []),
      ...names,
    ]);
  }
}

function expectRecorded(played: Played): void {
  const saves = service.ledger.runs.filter(({ runId }) => runId === played.runId);
  const sequences = saves.map(({ sequence }) => sequence);
  expect(sequences).toEqual([...new Set(sequences)].toSorted((one, other) => one - other));
  const ended = saves.filter(({ finishedAtMs }) => finishedAtMs !== null);
  if (played.isDeleted && ended.length === 0) return;
  const [run] = ended;
  if (run === undefined) throw new Error('its end is not recorded');
  expect(ended).toEqual([saves.at(-1)]);
  if (played.isDeleted) return;
  expectTruth(played, run);
  expectHandedOn(played, run);
}

test('a run ends, sends nothing twice and records what happened, in any order of events', async () => {
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const played = await play(order);
      expectSentOnce(played);
      expectRecorded(played);
    }),
    ORDERS,
  );
});

/**
 * Numbers of turns of the event loop between a request and its cancellation. Depending on this number, the run is only
 * requested, has started, or is at its step.
 */
const TURNS = Array.from({ length: 24 }, (_, index) => index);

test.each(TURNS)(
  'a scenario and its requested run end if the scenario is cancelled %i event-loop turns later',
  async (turns) => {
    const { client } = service;
    const id = `scn_cancelled_${turns}`;
    const config = scenarioConfig(id, { anchorMs: service.nowMs() });
    const wanted = { runId: `run_cancelled_${turns}`, region: 'eu-west', variables: [] };
    await service.gateway.runScenarioNow(config, requestOf([wanted], config.anchorMs));
    for (let count = 0; count < turns; count += 1) await turn();
    await client.workflow.getHandle(scenarioWorkflowId(id)).cancel();
    expect(await endOf(service, scenarioWorkflowId(id))).toBe('CANCELLED');
    const sent = service.sent.filter((step) => step.id === id);
    const begun = new Set(sent.map(({ runId }) => String(runId)));
    for (const runId of begun) {
      const saves = service.ledger.runs.filter((run) => run.runId === runId);
      expect(saves.at(-1)?.finishedAtMs).not.toBeNull();
    }
  },
);
