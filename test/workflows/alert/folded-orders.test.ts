/**
 * Tests monitors that fail and recover in any order, while some alerts are within the burst limit and others are not.
 * The tests lose signals to the digest, responses to these signals, and orchestrators. Each alert is reported once,
 * alone or in a digest.
 */
import fc from 'fast-check';
import { digestWorkflowId } from '../../../src/contracts/digests';
import type { MonitorConfig } from '../../../src/contracts/workflows';
import { webhookTarget } from '../../support/alert-message';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { endOf, ORDERS } from '../loop/random-orders';
import { startVirtualService, type VirtualService } from '../virtual-service';

const HOUR = 3_600_000;
const MONITORS = 3;
/** The changes of each monitor. One more change would be flapping, which is reported differently. */
const CHANGES = ['failure', 'recovery', 'failure'] as const;

const acts = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('change' as const), index: fc.nat(MONITORS - 1) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('room' as const),
        count: fc.constantFrom(0, 0, 1, 9),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('signal' as const),
        failure: fc.constantFrom('lost' as const, 'response lost' as const),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ kind: 'lose orchestrator' as const }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('pass' as const),
        ms: fc.constantFrom(10, 90, 150, 1_000, 31_000),
      }),
    },
  ),
  { minLength: 6, maxLength: 24 },
);
type Act = typeof acts extends fc.Arbitrary<(infer One)[]> ? One : never;

let service: VirtualService;
let lives = 0;

beforeAll(async () => {
  service = await startVirtualService(['eu-west'], { mayBeWatched: false });
});
afterAll(() => service.stop());

interface Life {
  readonly accountId: string;
  readonly configs: readonly MonitorConfig[];
  /** Number of changes for each monitor, by its id. */
  readonly changes: Map<string, number>;
}

const sentOf = ({ id }: MonitorConfig): number =>
  service.sent.filter((step) => step.id === id).length;

async function begin(): Promise<Life> {
  lives += 1;
  const accountId = `acc_life_${lives}`;
  const rules = { channels: [], onFailure: true, onRecovery: true, onDegraded: false };
  const configs = Array.from({ length: MONITORS }, (_, index) =>
    monitorConfig(`mon_life_${lives}_${index}`, {
      accountId,
      name: `${index}`,
      anchorMs: service.nowMs(),
      intervalMs: 48 * HOUR,
      alerts: { ...rules, targets: [webhookTarget(accountId)], remindEveryMinutes: null },
    }),
  );
  for (const config of configs) await service.gateway.configureMonitor(config);
  await service.until('the first checks', () => configs.every((config) => sentOf(config) === 1));
  return { accountId, configs, changes: new Map() };
}

/** Changes the health of a monitor, so that its next check has the opposite result. */
async function change({ configs, changes }: Life, index: number): Promise<void> {
  const config = configs[index];
  const before = changes.get(config?.id ?? '') ?? 0;
  if (config === undefined || before === CHANGES.length) return;
  changes.set(config.id, before + 1);
  service.answer(config.id, () => outcomeOf(CHANGES[before] === 'failure' ? 'down' : 'up'));
  // Moves the clock, because two checks in one millisecond would count as one slot.
  await service.pass(1);
  const sent = sentOf(config);
  const requestId = `change ${before}`;
  await service.gateway.checkMonitorNow(config, { requestId, requestedAtMs: service.nowMs() });
  await service.until('its check', () => sentOf(config) > sent);
}

async function act(life: Life, given: Act): Promise<void> {
  const { ledger } = service;
  if (given.kind === 'change') await change(life, given.index);
  else if (given.kind === 'room') ledger.admits = given.count;
  else if (given.kind === 'signal') ledger.foldFailures.push(given.failure);
  else if (given.kind === 'lose orchestrator') await service.replaceOrchestrator();
  else await service.pass(given.ms);
}

/** Returns the kind and name of everything that the recipient got, in order. */
function reportedTo(key: string): readonly string[] {
  return service.ledger.tries
    .filter(({ target }) => target === key)
    .flatMap(({ alert }) => (alert.kind === 'digest' ? alert.entries : [alert]))
    .map(({ kind, resourceName }) => `${kind} ${resourceName}`);
}

test('each alert is sent once, alone or in a digest, in any order of events before its workflow starts', async () => {
  let folded = 0;
  await fc.assert(
    fc.asyncProperty(acts, async (given) => {
      const { ledger } = service;
      ledger.admits = 2;
      const life = await begin();
      for (const one of given) await act(life, one);
      ledger.foldFailures.splice(0);
      await service.pass(5 * 60_000);
      const expected = life.configs.flatMap(({ id, name }) =>
        CHANGES.slice(0, life.changes.get(id) ?? 0).map((kind) => `${kind} ${name}`),
      );
      expect(reportedTo(life.accountId).toSorted()).toEqual(expected.toSorted());
      if (ledger.folding.size > folded) await endOf(service, digestWorkflowId(life.accountId));
      folded = ledger.folding.size;
      for (const { id } of life.configs) await service.gateway.removeMonitor(id);
    }),
    // Runs only half as many orders, because each takes about a second.
    { ...ORDERS, numRuns: Math.ceil(ORDERS.numRuns / 2) },
  );
  expect(folded).toBeGreaterThan(0);
});
