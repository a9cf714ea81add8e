/**
 * Signals and endings in any order: random requests, cancellations, edits, pauses and steps that end
 * meet a monitor and a scenario, often in one workflow task. Nothing may disappear or wait for ever.
 */
import fc from 'fast-check';
import {
  type MonitorConfig,
  PENDING_RUNS_QUERY,
  type ScenarioConfig,
  SIGNALS,
  scenarioWorkflowId,
} from '../../src/contracts/workflows';
import { monitorConfig, outcomeOf, requestOf, scenarioConfig } from '../support/outcomes';
import { waitUntil } from '../support/wait-until';
import { startVirtualService, type VirtualService } from './virtual-service';

const RUNS = Number(process.env['KEEPWATCH_TEST_ORDERS'] ?? 3);
const SEED = process.env['KEEPWATCH_TEST_SEED'];
/** A failure prints its seed. */
const OPTIONS = {
  numRuns: RUNS,
  endOnFailure: true,
  ...(SEED === undefined ? {} : { seed: Number(SEED) }),
};
const INTERVAL_MS = 2_000;
const REGIONS = ['eu-west', 'us-east'];
const SHORT = { intervalMs: INTERVAL_MS, regions: REGIONS };

const acts = fc.array(
  fc.oneof(
    fc.constant({ kind: 'ask' as const }),
    fc.record({ kind: fc.constant('cancel' as const), index: fc.nat(9) }),
    fc.record({
      kind: fc.constant('regions' as const),
      regions: fc.subarray(REGIONS, { minLength: 1 }),
    }),
    fc.record({ kind: fc.constant('pause' as const), paused: fc.boolean() }),
    fc.record({ kind: fc.constant('hold' as const), isHeld: fc.boolean() }),
    fc.record({ kind: fc.constant('gate' as const), isOpen: fc.boolean() }),
    fc.constant({ kind: 'slot' as const }),
  ),
  { minLength: 6, maxLength: 14 },
);
type Act = typeof acts extends fc.Arbitrary<(infer One)[]> ? One : never;

let service: VirtualService;
let count = 0;

beforeAll(async () => {
  service = await startVirtualService(REGIONS);
});
afterAll(() => service.stop());

/** Something that is passed while it is open. */
function createGate() {
  let open = (): void => undefined;
  let passage: Promise<void> = Promise.resolve();
  return {
    passage: () => passage,
    open: () => open(),
    close: () => {
      open();
      passage = new Promise((resolve) => {
        open = resolve;
      });
    },
  };
}

/** What differs between the kinds. */
interface Subject {
  readonly id: string;
  readonly configure: (change: Partial<MonitorConfig & ScenarioConfig>) => Promise<void>;
  readonly ask: () => Promise<void>;
  readonly cancel: (index: number) => Promise<void>;
  readonly settled: () => readonly {
    readonly slotMs: number;
    readonly kind: string;
    readonly regionsHealth: readonly { readonly region: string }[];
  }[];
}

async function play(subject: Subject, played: readonly Act[]): Promise<void> {
  const probes = createGate();
  const database = createGate();
  service.answer(subject.id, async () => {
    await probes.passage();
    return outcomeOf('up');
  });
  for (const act of played) {
    if (act.kind === 'ask') await subject.ask();
    else if (act.kind === 'cancel') await subject.cancel(act.index);
    else if (act.kind === 'regions') await subject.configure({ regions: act.regions });
    else if (act.kind === 'pause') await subject.configure({ paused: act.paused });
    else if (act.kind === 'hold') probes[act.isHeld ? 'close' : 'open']();
    else if (act.kind === 'gate') {
      database[act.isOpen ? 'open' : 'close']();
      service.ledger.gate = database.passage();
    } else
      await waitUntil('the next slot', async () => (await service.nowMs()) % INTERVAL_MS < 500);
  }
  probes.open();
  database.open();
  await subject.configure({ paused: false, regions: REGIONS });
  const atMs = await service.nowMs();
  await waitUntil('a slot after all this', () =>
    subject.settled().some(({ kind, slotMs }) => kind === 'scheduled' && slotMs > atMs),
  );
}

function expectEachSlotOnce({ settled }: Subject, perSlot: number): void {
  const counted = new Map<number, number>();
  for (const { kind, slotMs } of settled())
    if (kind === 'scheduled') counted.set(slotMs, (counted.get(slotMs) ?? 0) + 1);
  expect(Math.max(...counted.values())).toBeLessThanOrEqual(perSlot);
  const regions =
    settled()
      .at(-1)
      ?.regionsHealth.map(({ region }) => region) ?? [];
  expect(REGIONS).toEqual(expect.arrayContaining(regions));
}

async function monitorSubject(): Promise<Subject> {
  count += 1;
  const id = `mon_order_${count}`;
  let config = monitorConfig(id, { ...SHORT, anchorMs: await service.nowMs() });
  let asked = 0;
  await service.gateway.configureMonitor(config);
  return {
    id,
    configure: async (change) => {
      config = { ...config, ...change, version: config.version + 1 };
      await service.gateway.configureMonitor(config);
    },
    ask: async () => {
      asked += 1;
      const request = { requestId: `request-${asked}`, requestedAtMs: await service.nowMs() };
      await service.gateway.checkMonitorNow(config, request);
    },
    cancel: async () => undefined,
    settled: () => service.ledger.checks.filter(({ monitorId }) => monitorId === id),
  };
}

test('a monitor goes on with its slots whatever signals and endings meet', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (played) => {
      const subject = await monitorSubject();
      await play(subject, played);
      expectEachSlotOnce(subject, 1);
      await service.gateway.removeMonitor(subject.id);
    }),
    OPTIONS,
  );
});

test('a scenario goes on with its rounds, and every requested run ends, whatever signals and endings meet', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (played) => {
      count += 1;
      const id = `scn_order_${count}`;
      const steps = scenarioConfig(id).steps.slice(0, 1);
      let config = scenarioConfig(id, { ...SHORT, steps, anchorMs: await service.nowMs() });
      const asked: string[] = [];
      const cancelled = new Set<string>();
      const handle = service.environment.client.workflow.getHandle(scenarioWorkflowId(id));
      await service.gateway.configureScenario(config);
      const subject: Subject = {
        id,
        configure: async (change) => {
          config = { ...config, ...change, version: config.version + 1 };
          await service.gateway.configureScenario(config);
        },
        ask: async () => {
          const runId = `run_${id}_${asked.length}`;
          asked.push(runId);
          const wanted = { runId, region: 'eu-west', variables: [] };
          const request = requestOf([wanted], await service.nowMs());
          const countInUptime = asked.length % 2 === 0;
          await service.gateway.runScenarioNow(config, { ...request, countInUptime });
        },
        cancel: async (index) => {
          const runId = asked[index % Math.max(1, asked.length)];
          if (runId === undefined) return;
          cancelled.add(runId);
          await handle.signal(SIGNALS.cancelRun, runId);
        },
        settled: () => service.ledger.slots.filter(({ scenarioId }) => scenarioId === id),
      };
      await play(subject, played);
      const hasEnded = (runId: string) =>
        service.ledger.runs.some((run) => run.runId === runId && run.finishedAtMs !== null);
      await waitUntil('the end of every requested run', () =>
        asked.every((runId) => cancelled.has(runId) || hasEnded(runId)),
      );
      await waitUntil('nothing pending', async () => {
        const pending = await handle.query<readonly string[]>(PENDING_RUNS_QUERY);
        return !asked.some((runId) => pending.includes(runId));
      });
      expectEachSlotOnce(subject, REGIONS.length);
      await service.gateway.removeScenario(id);
    }),
    OPTIONS,
  );
});
