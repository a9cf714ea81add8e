/** Tests the health reducer. Compares it with a naive model that reads the whole history each time. */
import fc from 'fast-check';
import type { CheckStatus } from '../../../src/contracts/outcome';
import {
  createPendingHealth,
  EVERY_SLOT_COUNTS,
  type HealthRule,
  judgeRun,
  nextHealth,
} from '../../../src/domain/health/health';
import { propertyOptions } from '../../support/property-runs';

const REGIONS = ['eu-west', 'us-east', 'ap-south'];
const statuses = fc.constantFrom<CheckStatus>('up', 'degraded', 'down', 'unknown');
const histories = fc.array(fc.tuple(statuses, statuses, statuses), { maxLength: 40 });
const rules = fc.record({
  quorum: fc.integer({ min: 1, max: 3 }),
  failuresBeforeDown: fc.integer({ min: 1, max: 4 }),
  successesBeforeUp: fc.integer({ min: 1, max: 4 }),
});

const observe = (seen: readonly CheckStatus[]) =>
  seen.map((status, index) => ({ region: REGIONS[index] ?? '?', status, responseTimeMs: 10 }));

function reduce(history: readonly (readonly CheckStatus[])[], rule: HealthRule) {
  return history.reduce(
    (state, seen, index) => nextHealth(state, { atMs: index, observations: observe(seen) }, rule),
    createPendingHealth(-1),
  );
}

/** Returns the status of one slot as the documents define it. */
function wordOf(seen: readonly CheckStatus[], quorum: number): CheckStatus {
  const known = seen.filter((status) => status !== 'unknown');
  if (known.length === 0) return 'unknown';
  if (known.filter((status) => status === 'down').length >= quorum) return 'down';
  return known.some((status) => status !== 'up') ? 'degraded' : 'up';
}

/** Replays all known slots from the start. Counts the streak at each slot. */
function naiveHealth(history: readonly (readonly CheckStatus[])[], rule: HealthRule): string {
  const words = history.map((seen) => wordOf(seen, rule.quorum));
  if (words.at(-1) === 'unknown') return 'unknown';
  const known = words.filter((word) => word !== 'unknown');
  let health = 'pending';
  for (const [index, word] of known.entries()) {
    const soFar = known.slice(0, index + 1).toReversed();
    const isFailing = word === 'down';
    const ended = soFar.findIndex((other) => (other === 'down') !== isFailing);
    const streak = ended < 0 ? soFar.length : ended;
    if (isFailing && streak >= rule.failuresBeforeDown) health = 'down';
    if (!isFailing && (health !== 'down' || streak >= rule.successesBeforeUp)) health = word;
  }
  return health;
}

test('health agrees with a naive model for every history and rule', () => {
  fc.assert(
    fc.property(histories, rules, (history, rule) => {
      expect(reduce(history, rule).health).toBe(naiveHealth(history, rule));
    }),
    propertyOptions(100),
  );
});

test('a check is not down while fewer regions than the quorum see it fail', () => {
  fc.assert(
    fc.property(histories, rules, (history, rule) => {
      const isEnough = history.some((seen) => wordOf(seen, rule.quorum) === 'down');
      expect(reduce(history, rule).health === 'down' && !isEnough).toBe(false);
    }),
    propertyOptions(100),
  );
});

test('the stored health has one entry per region, and the time of the last change', () => {
  fc.assert(
    fc.property(histories, rules, (history, rule) => {
      const healths = [[], ...history].map((_, count) => reduce(history.slice(0, count), rule));
      const state = reduce(history, rule);
      const lastOther = healths.findLastIndex(({ health }) => health !== state.health);
      expect(state.sinceMs).toBe(lastOther);
      expect(state.regions).toHaveLength(history.length === 0 ? 0 : REGIONS.length);
    }),
    propertyOptions(100),
  );
});

test('a slot without results makes the health unknown, and keeps the failure counts', () => {
  const rule = { quorum: 1, failuresBeforeDown: 1, successesBeforeUp: 2 };
  const down = reduce([['down']], rule);
  const blind = reduce([['down'], ['unknown']], rule);
  const firstSuccess = reduce([['down'], ['unknown'], ['up']], rule);
  expect([down.health, blind.health, firstSuccess.health]).toEqual(['down', 'unknown', 'down']);
  expect(reduce([['down'], ['unknown'], ['up'], ['up']], rule).health).toBe('up');
});

test('a region without a new observation keeps its last status', () => {
  const first = reduce([['up', 'down']], { ...EVERY_SLOT_COUNTS, quorum: 2 });
  const seen = [{ region: 'eu-west', status: 'down' as const, responseTimeMs: null }];
  const { regions } = nextHealth(first, { atMs: 9, observations: seen }, EVERY_SLOT_COUNTS);
  expect(regions).toEqual([
    { region: 'eu-west', health: 'down', sinceMs: 9, lastResponseTimeMs: 10 },
    { region: 'us-east', health: 'down', sinceMs: 0, lastResponseTimeMs: 10 },
  ]);
});

test('a run makes its scenario down only if the target failed', () => {
  expect((['failed', 'timed_out'] as const).map(judgeRun)).toEqual(['down', 'down']);
  expect((['error', 'cancelled'] as const).map(judgeRun)).toEqual(['unknown', 'unknown']);
  expect((['passed', 'degraded'] as const).map(judgeRun)).toEqual(['up', 'degraded']);
});
