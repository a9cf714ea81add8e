/**
 * Tests whole days of a service under random faults, in virtual time: five days in CI, a thousand in the long form. The
 * ledger is the oracle.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { addAccounts } from '../../../src/domain/health/slot-ledger';
import { DAY_MS } from '../../../src/domain/health/summary';
import { testSeed } from '../../support/test-seed';
import { isLongForm, testSize } from '../../support/test-size';
import { accountForLife, type LifeAccount } from './account-for-life';
import { type Breakage, type LivedLife, liveThrough } from './live-through';
import { imagineLife } from './random-life';

const DAYS = testSize('days', { ci: 5, long: 1_000 });
/**
 * The fixed seed contains all kinds of trouble. It also contains a night in which daylight saving changes while checks
 * are paused.
 */
const SEED = testSeed(59);
/** Number of days in one history. A failing seed repeats only one history. */
const DAYS_OF_LIFE = 5;
/** Seed of a short history with outages and several troubles. */
const SHORT_SEED = 54;
const SHORT_DAYS = 0.5;
const PROBLEMS_SHOWN = 40;

async function simulate(seed: number, days: number, breakage?: Breakage) {
  const lived = await liveThrough(imagineLife(seed, days), breakage);
  disableContextStores();
  return { lived, account: accountForLife(lived) };
}

/**
 * Disables the context stores after each history. Otherwise each history would be slower than the previous one (see
 * support/own-realm-environment.cjs).
 */
function disableContextStores(): void {
  const disableAll: unknown = Reflect.get(AsyncLocalStorage, 'disableAll');
  if (typeof disableAll === 'function') disableAll.call(AsyncLocalStorage);
}

test(
  'under random faults, each slot is checked once or missed for a reason, and each alert is sent',
  async () => {
    const accounts: LifeAccount[] = [];
    for (let days = 0; days < DAYS; days += DAYS_OF_LIFE) {
      const seed = SEED + days / DAYS_OF_LIFE;
      accounts.push(await simulateInOrder(seed, Math.min(DAYS_OF_LIFE, DAYS - days)));
      report(Math.min(days + DAYS_OF_LIFE, DAYS), accounts);
    }
    expect(accounts.length).toBeGreaterThan(0);
  },
  DAY_MS,
);

describe('the checker of the simulation', () => {
  const BROKEN: readonly (readonly [string, Breakage, RegExp])[] = [
    [
      'a slot that is stored twice',
      {
        writes: (writes) => ({
          ...writes,
          insertResults: async (results) => {
            await writes.insertResults(results);
            await writes.insertResults(results.map((one) => ({ ...one, id: `${one.id} again` })));
          },
        }),
      },
      /is stored 2 times/,
    ],
    [
      'a slot that is lost',
      {
        writes: (writes) => ({
          ...writes,
          insertResults: (results) => writes.insertResults(results.slice(1)),
        }),
      },
      /is neither made nor missed.*the ledger counts \d+ slots as unaccounted for/s,
    ],
    ['an alert that is dropped', { forgets: () => true }, /was owed and never sent/],
    [
      'a health that contradicts the checks',
      {
        writes: (writes) => ({
          ...writes,
          advanceStatus: (change) =>
            writes.advanceStatus({ ...change, fields: { ...change.fields, health: 'pending' } }),
        }),
      },
      /it ends as pending/,
    ],
  ];

  test.each(BROKEN)(
    'the checker of the simulation detects a deliberate defect: %s',
    async (_name, breakage, found) => {
      const { account } = await simulate(SHORT_SEED, SHORT_DAYS, breakage);
      expect(account.problems.join('\n')).toMatch(found);
    },
  );
});

test('a problem in a simulated history fails the test, with the command that repeats the history', async () => {
  const drops: Breakage = { forgets: () => true };
  await expect(simulateInOrder(SHORT_SEED, SHORT_DAYS, drops)).rejects.toThrow(
    `KEEPWATCH_TEST_SEED=${SHORT_SEED} KEEPWATCH_TEST_DAYS=${SHORT_DAYS} npx jest test/workflows/simulation`,
  );
});

test('the same seed gives the same simulated history', async () => {
  const one = await simulate(SHORT_SEED, SHORT_DAYS);
  const other = await simulate(SHORT_SEED, SHORT_DAYS);
  expect(writeStory(other.lived)).toEqual(writeStory(one.lived));
});

/** Returns everything that was stored and sent, without random ids. */
function writeStory({ database, mailbox, troubles }: LivedLife) {
  const rows = [...database.results.values()].map(({ id, status, gap }) => [
    id,
    status,
    gap?.slots,
  ]);
  return { rows, mail: mailbox.map(({ kind, atMs }) => [kind, atMs]), troubles: [...troubles] };
}

/** Simulates a history. If there is any problem, throws an error with the command that repeats the history. */
async function simulateInOrder(
  seed: number,
  days: number,
  breakage?: Breakage,
): Promise<LifeAccount> {
  const { account } = await simulate(seed, days, breakage).catch((error: unknown) => {
    throw new Error(`${nameCommand(seed, days)}\n${String(error)}`, { cause: error });
  });
  const { problems } = account;
  if (problems.length === 0) return account;
  throw new Error([nameCommand(seed, days), ...problems.slice(0, PROBLEMS_SHOWN)].join('\n'));
}

function nameCommand(seed: number, days: number): string {
  const settings = `KEEPWATCH_TEST_SEED=${seed} KEEPWATCH_TEST_DAYS=${days}`;
  return `${settings} npx jest test/workflows/simulation --selectProjects workflows repeats it.`;
}

/** In the long form, prints the progress and the counts. */
function report(days: number, accounts: readonly LifeAccount[]): void {
  if (!isLongForm) return;
  const { due, made, late, missed } = addAccounts(accounts.map(({ slots }) => slots));
  const reasons = Object.entries(missed).map(([reason, slots]) => `${reason} ${slots}`);
  const alerts = accounts.reduce((sum, one) => sum + one.alerts.sent, 0);
  const slots = `${due} slots due, ${made} made (${late} late), missed: ${reasons.join(', ')}`;
  process.stderr.write(`simulated ${days} of ${DAYS} days: ${slots}; ${alerts} alerts sent\n`);
}
