/**
 * Tests signals and endings in any order. Random requests, cancellations, edits, pauses, ending steps, and lost probes
 * and orchestrators act on a monitor and a scenario, often in one workflow task. In the end, the resource continues
 * undisturbed, is deleted or is cancelled. Nothing may disappear or wait forever.
 */
import fc from 'fast-check';
import {
  type MonitorConfig,
  monitorWorkflowId,
  PENDING_RUNS_QUERY,
  type ScenarioConfig,
  SIGNALS,
  scenarioWorkflowId,
} from '../../../src/contracts/workflows';
import { monitorConfig, outcomeOf, requestOf, scenarioConfig } from '../../support/outcomes';
import { startVirtualService, type VirtualService } from '../virtual-service';
import {
  createGate,
  endOf,
  expectCoveredGrid,
  type GridRecord,
  ORDERS,
  withHistory,
} from './random-orders';

const INTERVAL_MS = 2_000;
/** Time limit of a step in milliseconds. A lost probe is noticed five seconds after this limit. */
const BUDGET_MS = 100;
const REGIONS = ['eu-west', 'us-east'];
const SHORT = { intervalMs: INTERVAL_MS, regions: REGIONS };

const acts = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.constant({ kind: 'ask' as const }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), index: fc.nat(9) }) },
    fc.record({
      kind: fc.constant('regions' as const),
      regions: fc.subarray(REGIONS, { minLength: 1 }),
    }),
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('pause' as const), paused: fc.boolean() }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('hold' as const), isHeld: fc.boolean() }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('gate' as const), isOpen: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.constant({ kind: 'slot' as const }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('pass' as const),
        ms: fc.constantFrom(0, 100, 1_000, 6_000),
      }),
    },
    fc.constant({ kind: 'lose probe' as const }),
    fc.constant({ kind: 'lose orchestrator' as const }),
  ),
  { minLength: 6, maxLength: 24 },
);
/**
 * Generates orders of events. If `isUndisturbed` is true, all gates are opened before the end, and then one slot passes
 * without events.
 */
const orders = fc.record({
  played: acts,
  isUndisturbed: fc.boolean(),
  ending: fc.constantFrom('delete' as const, 'cancel' as const),
});
type Order = typeof orders extends fc.Arbitrary<infer One> ? One : never;
type Act = Order['played'][number];

let service: VirtualService;
let count = 0;

beforeAll(async () => {
  service = await startVirtualService(REGIONS);
});
afterAll(() => service.stop());

/** The parts in which the tests of a monitor and of a scenario differ. */
interface Subject {
  readonly id: string;
  readonly workflowId: string;
  readonly configure: (change: Partial<MonitorConfig & ScenarioConfig>) => Promise<void>;
  readonly ask: () => Promise<void>;
  readonly cancel: (index: number) => Promise<void>;
  readonly remove: () => Promise<void>;
  /** Expects that everything has ended. Called only for an undisturbed resource. */
  readonly expectAllEnded: () => Promise<void>;
  readonly recorded: () => readonly (GridRecord & {
    readonly kind: string;
    readonly regionsHealth: readonly { readonly region: string }[];
  })[];
}

/** The gates between the subject and its environment. */
class Doors {
  readonly probes = createGate();
  readonly database = createGate();
  readonly lost = createGate();
  losses = 0;
}

function openDoors(subject: Subject): Doors {
  const doors = new Doors();
  doors.lost.close();
  service.answer(subject.id, async () => {
    doors.losses -= 1;
    // A worker that died reports nothing. Its call stays pending until the test ends it.
    if (doors.losses >= 0) await doors.lost.passage();
    await doors.probes.passage();
    return outcomeOf('up');
  });
  return doors;
}

async function act(subject: Subject, doors: Doors, given: Act): Promise<void> {
  const { probes, database } = doors;
  if (given.kind === 'ask') await subject.ask();
  else if (given.kind === 'cancel') await subject.cancel(given.index);
  else if (given.kind === 'regions') await subject.configure({ regions: given.regions });
  else if (given.kind === 'pause') await subject.configure({ paused: given.paused });
  else if (given.kind === 'hold') probes[given.isHeld ? 'close' : 'open']();
  else if (given.kind === 'lose probe') doors.losses = 1;
  else if (given.kind === 'lose orchestrator') await service.replaceOrchestrator();
  else if (given.kind === 'gate') {
    database[given.isOpen ? 'open' : 'close']();
    service.ledger.gate = database.passage();
  } else if (given.kind === 'pass') await service.pass(given.ms);
  else await service.pass(INTERVAL_MS - (service.nowMs() % INTERVAL_MS));
}

async function play(subject: Subject, order: Order): Promise<void> {
  const doors = openDoors(subject);
  try {
    for (const given of order.played) await act(subject, doors, given);
    if (order.isUndisturbed) await expectPeace(subject, doors);
    if (order.ending === 'delete') {
      service.ledger.gone.add(subject.id);
      await subject.remove();
    } else await service.client.workflow.getHandle(subject.workflowId).cancel();
    openAll(doors);
    await expectQuiet(subject, order.ending);
  } finally {
    openAll(doors);
    doors.lost.open();
  }
}

function openAll(doors: Doors): void {
  doors.probes.open();
  doors.database.open();
  doors.losses = 0;
}

async function expectPeace(subject: Subject, doors: Doors): Promise<void> {
  openAll(doors);
  await subject.configure({ paused: false, regions: REGIONS });
  const atMs = service.nowMs();
  await withHistory(service, subject.workflowId, () =>
    service.until('a slot after all events', () =>
      subject.recorded().some(({ kind, slotMs }) => kind === 'scheduled' && slotMs > atMs),
    ),
  );
  await subject.expectAllEnded();
  expectGrid(subject, true);
}

/** Expects that the workflow and every run that a probe saw have ended, and that nothing more is sent. */
async function expectQuiet(subject: Subject, ending: Order['ending']): Promise<void> {
  const status = await endOf(service, subject.workflowId);
  expect(status).toBe(ending === 'delete' ? 'COMPLETED' : 'CANCELLED');
  const sent = () => service.sent.filter(({ id }) => id === subject.id);
  for (const runId of new Set(sent().flatMap((step) => step.runId ?? []))) {
    const saves = service.ledger.runs.filter((run) => run.runId === runId);
    expect(saves.at(-1)?.finishedAtMs).not.toBeNull();
  }
  const before = sent().length;
  await service.pass(INTERVAL_MS + 500);
  expect(sent()).toHaveLength(before);
}

/**
 * Checks the recorded slots. If `isWhole` is true, every slot must be recorded, because the subject was not deleted.
 */
function expectGrid(subject: Subject, isWhole: boolean): void {
  if (isWhole) expectCoveredGrid(subject.recorded(), INTERVAL_MS);
  const scheduled = subject.recorded().filter(({ kind }) => kind === 'scheduled');
  const slots = new Set(scheduled.map(({ slotMs }) => slotMs));
  // The store would hide a second result of a slot. So the requests to probes are counted, too.
  const asked = new Map<string, Set<string>>();
  for (const [index, { id, slotMs, region, runId }] of service.sent.entries()) {
    if (id !== subject.id || !slots.has(slotMs)) continue;
    const key = `${slotMs} ${region}`;
    asked.set(key, (asked.get(key) ?? new Set()).add(runId ?? String(index)));
  }
  expect([...asked].filter(([, runs]) => runs.size > 1)).toEqual([]);
  const last =
    subject
      .recorded()
      .at(-1)
      ?.regionsHealth.map(({ region }) => region) ?? [];
  expect(REGIONS).toEqual(expect.arrayContaining(last));
}

async function monitorSubject(): Promise<Subject> {
  count += 1;
  const id = `mon_order_${count}`;
  const anchorMs = service.nowMs();
  let config = monitorConfig(id, { ...SHORT, budgetMs: BUDGET_MS, anchorMs });
  const asked: string[] = [];
  await service.gateway.configureMonitor(config);
  const recorded = () => service.ledger.checks.filter(({ monitorId }) => monitorId === id);
  return {
    id,
    workflowId: monitorWorkflowId(id),
    configure: async (change) => {
      config = { ...config, ...change, version: config.version + 1 };
      await service.gateway.configureMonitor(config);
    },
    ask: async () => {
      const requestId = `request-${asked.length}`;
      asked.push(requestId);
      const request = { requestId, requestedAtMs: service.nowMs() };
      await service.gateway.checkMonitorNow(config, request);
    },
    cancel: async () => undefined,
    remove: () => service.gateway.removeMonitor(id),
    expectAllEnded: async () => {
      const answered = () => recorded().flatMap(({ requestIds }) => requestIds ?? []);
      await service.until('a check for every request', () => answered().length >= asked.length);
      expect(answered().toSorted()).toEqual(asked.toSorted());
    },
    recorded,
  };
}

async function scenarioSubject(): Promise<Subject> {
  count += 1;
  const id = `scn_order_${count}`;
  const workflowId = scenarioWorkflowId(id);
  const steps = scenarioConfig(id)
    .steps.slice(0, 1)
    .map((step) => ({ ...step, budgetMs: BUDGET_MS }));
  let config = scenarioConfig(id, { ...SHORT, steps, anchorMs: service.nowMs() });
  const asked: string[] = [];
  const cancelled = new Set<string>();
  const handle = service.client.workflow.getHandle(workflowId);
  await service.gateway.configureScenario(config);
  return {
    id,
    workflowId,
    configure: async (change) => {
      config = { ...config, ...change, version: config.version + 1 };
      await service.gateway.configureScenario(config);
    },
    ask: async () => {
      const runId = `run_${id}_${asked.length}`;
      asked.push(runId);
      const wanted = { runId, region: 'eu-west', variables: [] };
      const request = requestOf([wanted], service.nowMs());
      const countInUptime = asked.length % 2 === 0;
      await service.gateway.runScenarioNow(config, { ...request, countInUptime });
    },
    cancel: async (index) => {
      const runId = asked[index % Math.max(1, asked.length)];
      if (runId === undefined) return;
      cancelled.add(runId);
      await handle.signal(SIGNALS.cancelRun, runId);
    },
    remove: () => service.gateway.removeScenario(id),
    expectAllEnded: async () => {
      const hasEnded = (runId: string) =>
        service.ledger.runs.some((run) => run.runId === runId && run.finishedAtMs !== null);
      await service.until('the end of every requested run', () =>
        asked.every((runId) => cancelled.has(runId) || hasEnded(runId)),
      );
      await service.until('nothing pending', async () => {
        const pending = await handle.query<readonly string[]>(PENDING_RUNS_QUERY);
        return !asked.some((runId) => pending.includes(runId));
      });
    },
    recorded: () => service.ledger.slots.filter(({ scenarioId }) => scenarioId === id),
  };
}

test('in any order of signals and endings, a monitor checks each slot or records it as missed, and ends properly', async () => {
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const subject = await monitorSubject();
      await play(subject, order);
      expectGrid(subject, order.ending === 'cancel');
    }),
    ORDERS,
  );
});

test('in any order of signals and endings, a scenario runs each slot or records it as missed, and ends every run', async () => {
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const subject = await scenarioSubject();
      await play(subject, order);
      expectGrid(subject, order.ending === 'cancel');
    }),
    ORDERS,
  );
});
