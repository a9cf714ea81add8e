/** Attempts as slots: what each attempt of a quiet check does, stores, and leaves to the next. */
import { CompleteAsyncError } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import {
  createQuietActivities,
  type QuietDependencies,
} from '../../src/activities/quiet-activities';
import { QUIET_SLOT_DONE, type StepReference } from '../../src/contracts/activities';
import type { StepOutcome } from '../../src/contracts/outcome';
import type {
  Watch,
  WatchEnd,
  WatchReceipt,
  WatchedResult,
} from '../../src/contracts/watches';
import { expectationOf } from '../../src/domain/health/steady-outcome';
import { passingOutcome } from '../models/example-records';

const MINUTE_MS = 60_000;
const FIRST_SLOT_MS = Date.UTC(2026, 0, 5, 12);

const outcome = passingOutcome({
  tls: {
    version: 'TLSv1.3',
    issuer: 'CA',
    fingerprint: 'f1',
    expiresAt: null,
    daysUntilExpiry: null,
    trusted: true,
  },
});
const expected = expectationOf(outcome) ?? fail();
const check: Watch = {
  accountId: 'acc_1',
  id: 'mon_1',
  revision: 3,
  region: 'eu-west',
  intervalMs: MINUTE_MS,
  firstSlotMs: FIRST_SLOT_MS,
  expected,
};

function fail(): never {
  throw new Error('this outcome is one of a quiet check');
}

interface Given {
  readonly isFirstTryOnly?: boolean;
  readonly isPatient?: boolean;
  /** So long the check seems to take. */
  readonly checkMs?: number;
  readonly atMs?: number;
  readonly waitedMs?: number;
  readonly lastSlotMs?: number;
  readonly lateSlotMs?: number;
  readonly outcome?: StepOutcome | Error;
  readonly receipt?: WatchReceipt | Error;
  readonly isEnabled?: boolean;
  readonly failAttempt?: QuietDependencies['failAttempt'];
}

/** One attempt; `ended` is what it returned, `failed` how it asked for the next one. */
async function attempt({
  lastSlotMs,
  lateSlotMs,
  atMs = lastSlotMs === undefined ? FIRST_SLOT_MS : lastSlotMs + MINUTE_MS,
  outcome: met = outcome,
  receipt = 'stored',
  isEnabled = true,
  isFirstTryOnly,
  isPatient,
  checkMs,
  waitedMs = 0,
  failAttempt,
}: Given) {
  const watch = jest.spyOn(performance, 'now');
  if (checkMs !== undefined) watch.mockReturnValue(0);
  const asked: StepReference[] = [];
  const given = {
    ...check,
    ...(isFirstTryOnly !== undefined && { isFirstTryOnly }),
    ...(isPatient !== undefined && { isPatient }),
  };
  const sent: WatchedResult[] = [];
  const within: number[] = [];
  const beats: unknown[] = [];
  const { checkWhileQuiet } = createQuietActivities({
    runHttpStep: async (step) => {
      asked.push(step);
      if (checkMs !== undefined) watch.mockReturnValue(checkMs);
      if (met instanceof Error) throw met;
      return met;
    },
    sender: {
      send: async (result, withinMs) => {
        sent.push(result);
        within.push(withinMs);
        if (receipt instanceof Error) throw receipt;
        return receipt;
      },
    },
    attemptTime: () => ({ nowMs: atMs, waitedMs }),
    isEnabled,
    ...(failAttempt && { failAttempt }),
  });
  const environment = new MockActivityEnvironment({
    currentAttemptScheduledTimestampMs: atMs,
    startToCloseTimeoutMs: 15_000,
    heartbeatDetails:
      lastSlotMs === undefined ? undefined : { lastSlotMs, lateSlotMs, responseTimeMs: 9 },
  });
  environment.on('heartbeat', (details: unknown) => beats.push(details));
  let ended: WatchEnd | null = null;
  let failed: ApplicationFailure | null = null;
  try {
    ended = await environment.run(checkWhileQuiet, given);
  } catch (error) {
    if (error instanceof ApplicationFailure) failed = error;
    else if (!(error instanceof CompleteAsyncError)) throw error;
  }
  return { asked, sent, within, beats, ended, failed };
}

afterEach(() => jest.restoreAllMocks());

const secondSlotMs = FIRST_SLOT_MS + MINUTE_MS;
/** Before anything was stored. */
const ENDED: WatchEnd = { mark: null, found: null, isGone: false, isSure: true };

test('a check like those before is stored, and its attempt asks to be repeated at the next slot', async () => {
  const { asked, sent, beats, failed } = await attempt({ atMs: FIRST_SLOT_MS + 400 });
  expect(asked).toEqual([
    {
      accountId: 'acc_1',
      kind: 'monitor',
      id: 'mon_1',
      revision: 3,
      stepIndex: 0,
      slotMs: FIRST_SLOT_MS,
    },
  ]);
  expect(sent).toMatchObject([
    { slotMs: FIRST_SLOT_MS, nextSlotMs: secondSlotMs, revision: 3, outcome },
  ]);
  const mark = { lastSlotMs: FIRST_SLOT_MS, responseTimeMs: outcome.responseTimeMs };
  expect(beats).toEqual([mark]);
  expect(failed).toMatchObject({
    type: QUIET_SLOT_DONE,
    nonRetryable: false,
    category: 'BENIGN',
    message: 'up 200 in 123 ms, slot 12:00:00Z',
    details: [mark],
    stack: '',
  });
  const delayMs = Number(failed?.nextRetryDelay);
  expect(delayMs).toBeGreaterThan(MINUTE_MS - 1_400);
  expect(delayMs).toBeLessThanOrEqual(MINUTE_MS - 400);
});

test('an attempt whose end the server has taken with its mark reports nothing more', async () => {
  const taken: unknown[] = [];
  const { beats, failed } = await attempt({
    failAttempt: async (failure, mark) => {
      taken.push([failure.type, failure.details, mark]);
      throw new CompleteAsyncError();
    },
  });
  const mark = { lastSlotMs: FIRST_SLOT_MS, responseTimeMs: outcome.responseTimeMs };
  expect(taken).toEqual([[QUIET_SLOT_DONE, [mark], mark]]);
  expect([beats, failed]).toEqual([[], null]);
});

test('an attempt whose end the server has not taken at once reports it and its mark in the ordinary way', async () => {
  const { beats, failed } = await attempt({
    failAttempt: () => Promise.reject(new Error('the server is away')),
  });
  const mark = { lastSlotMs: FIRST_SLOT_MS, responseTimeMs: outcome.responseTimeMs };
  expect(beats).toEqual([mark]);
  expect(failed).toMatchObject({ type: QUIET_SLOT_DONE, details: [mark] });
});

test('an attempt that has retries sends its request once, and says so', async () => {
  const { asked } = await attempt({ isFirstTryOnly: true });
  expect(asked).toMatchObject([{ isFirstTryOnly: true }]);
});

test.each([
  ['a short check', 40, 6_000],
  ['a check that took ten of fifteen seconds', 10_000, 2_000],
  ['a check that took all of them', 15_000, 0],
])('after %s the API has as long as the attempt leaves it', async (_, checkMs, withinMs) => {
  const { within } = await attempt({ checkMs });
  expect(within).toEqual([withinMs]);
});

test('each attempt takes the slot after the last one that was stored', async () => {
  const { asked, sent } = await attempt({ lastSlotMs: FIRST_SLOT_MS });
  expect([...asked, ...sent].map(({ slotMs }) => slotMs)).toEqual([secondSlotMs, secondSlotMs]);
});

const otherCertificate = { ...outcome, tls: { ...(outcome.tls ?? fail()), fingerprint: 'f2' } };
const failedAssertion = {
  ...outcome,
  assertions: outcome.assertions.map((one) => ({ ...one, ok: false })),
};
const [first = fail()] = outcome.attempts;

test.each<[string, StepOutcome]>([
  ['is down', { ...outcome, status: 'down' }],
  ['is degraded', { ...outcome, status: 'degraded' }],
  ['needed a retry', { ...outcome, attempts: [first, first] }],
  ['meets another certificate', otherCertificate],
  ['has an assertion that changed', failedAssertion],
])('a check that %s ends the quiet and is not stored by the probe', async (_, met) => {
  const { sent, ended } = await attempt({ lastSlotMs: FIRST_SLOT_MS, outcome: met });
  expect(sent).toEqual([]);
  expect(ended).toEqual({
    mark: { lastSlotMs: FIRST_SLOT_MS, responseTimeMs: 9 },
    found: { slotMs: secondSlotMs, outcome: met },
    isGone: false,
    isSure: true,
  });
});

test('what the API does not confirm ends the quiet with what was measured', async () => {
  for (const receipt of ['outdated', new Error('the API is away')] as const) {
    const { ended } = await attempt({ receipt });
    expect(ended).toEqual({ ...ENDED, found: { slotMs: FIRST_SLOT_MS, outcome } });
  }
  const { ended } = await attempt({ receipt: 'gone' });
  expect(ended).toEqual({ ...ENDED, isGone: true });
});

test('a check that cannot be prepared ends the quiet, and nothing is measured', async () => {
  const { ended } = await attempt({ outcome: new Error('the API does not respond') });
  expect(ended).toEqual(ENDED);
});

test('while the API cannot be read an attempt waits for it once, and then leaves it to the workflow', async () => {
  const outcome = ApplicationFailure.create({ type: 'definition_unreadable', nonRetryable: true });
  const atMs = FIRST_SLOT_MS + 900;
  const first = await attempt({ atMs, checkMs: 5_000, outcome });
  const mark = { lastSlotMs: FIRST_SLOT_MS - MINUTE_MS, lateSlotMs: FIRST_SLOT_MS };
  expect([first.ended, first.beats]).toEqual([null, [expect.objectContaining(mark)]]);
  expect(Number(first.failed?.nextRetryDelay)).toBeGreaterThan(2_000);
  const again = { ...mark, atMs: FIRST_SLOT_MS + 12_000, outcome };
  expect((await attempt(again)).ended).toMatchObject({ found: null, isSure: true });
  const missing = ApplicationFailure.create({ type: 'definition_missing', nonRetryable: true });
  expect((await attempt({ atMs, checkMs: 5_000, outcome: missing })).ended).toEqual(ENDED);
});

test('an attempt before its slot waits for it', async () => {
  const early = await attempt({ lastSlotMs: FIRST_SLOT_MS, atMs: FIRST_SLOT_MS + MINUTE_MS / 2 });
  expect([early.asked, early.beats]).toEqual([
    [],
    [{ lastSlotMs: FIRST_SLOT_MS, responseTimeMs: 9 }],
  ]);
  expect(Number(early.failed?.nextRetryDelay)).toBeGreaterThan(MINUTE_MS / 2 - 1_000);
});

/** Three slots on, with the next one near. */
const afterThree = { lastSlotMs: FIRST_SLOT_MS, atMs: FIRST_SLOT_MS + 3 * MINUTE_MS + 500 };
const missed = {
  reason: 'missed',
  fromSlotMs: secondSlotMs,
  toSlotMs: FIRST_SLOT_MS + 2 * MINUTE_MS,
  slots: 2,
};

test('an attempt that comes after its slot is over checks the newest one, and names those between', async () => {
  const { asked, sent, failed } = await attempt(afterThree);
  const slotMs = FIRST_SLOT_MS + 3 * MINUTE_MS;
  expect(asked).toMatchObject([{ slotMs }]);
  expect(sent).toMatchObject([{ slotMs, nextSlotMs: slotMs + MINUTE_MS, gap: missed }]);
  expect(failed?.details).toMatchObject([{ lastSlotMs: slotMs }]);
  expect(Number(failed?.nextRetryDelay)).toBeLessThanOrEqual(MINUTE_MS - 500);
  const isFirst = await attempt({ atMs: FIRST_SLOT_MS + 2 * MINUTE_MS });
  expect(isFirst.sent).toMatchObject([{ gap: { fromSlotMs: FIRST_SLOT_MS, slots: 2 } }]);
});

test('what differs after slots that are over is left to the workflow, which names them', async () => {
  const { sent, ended } = await attempt({ ...afterThree, outcome: { ...outcome, status: 'down' } });
  const mark = { lastSlotMs: FIRST_SLOT_MS, responseTimeMs: 9 };
  expect([sent, ended]).toEqual([[], { ...ENDED, mark }]);
});

test('slots whose naming the API does not confirm are looked for in the database', async () => {
  const mark = { lastSlotMs: FIRST_SLOT_MS, responseTimeMs: 9 };
  const unknown = await attempt({ ...afterThree, receipt: new Error('the API is away') });
  expect(unknown.ended).toEqual({ ...ENDED, mark, isSure: false });
  const outdated = await attempt({ ...afterThree, receipt: 'outdated' });
  expect(outdated.ended).toEqual({ ...ENDED, mark });
});

test('an attempt that has waited takes the newest slot, however many have passed meanwhile', async () => {
  const atMs = FIRST_SLOT_MS + 3 * MINUTE_MS + 20_000;
  const { sent } = await attempt({ lastSlotMs: FIRST_SLOT_MS, lateSlotMs: secondSlotMs, atMs });
  expect(sent).toMatchObject([{ slotMs: FIRST_SLOT_MS + 3 * MINUTE_MS, gap: missed }]);
});

test('an attempt that is late waits once, and then takes the same slot', async () => {
  const [lateMs, isFirst] = [20_000, { atMs: FIRST_SLOT_MS + 20_000 }];
  const later = { lastSlotMs: FIRST_SLOT_MS, atMs: secondSlotMs + lateMs };
  for (const [given, slotMs] of [
    [isFirst, FIRST_SLOT_MS],
    [later, secondSlotMs],
  ] as const) {
    const { asked, beats, failed } = await attempt(given);
    const lastSlotMs = slotMs - MINUTE_MS;
    expect([asked, beats]).toEqual([
      [],
      [expect.objectContaining({ lastSlotMs, lateSlotMs: slotMs })],
    ]);
    expect(Number(failed?.nextRetryDelay)).toBeGreaterThan(lateMs / 2);
    expect(Number(failed?.nextRetryDelay)).toBeLessThan(MINUTE_MS - lateMs);
    const again = { lastSlotMs, lateSlotMs: slotMs, atMs: slotMs + 2 * lateMs };
    const { sent } = await attempt(again);
    expect(sent.map((result) => result.slotMs)).toEqual([slotMs]);
  }
});

test('an attempt that came late through the line for a probe checks at once, and the next one is on the grid', async () => {
  const waitedMs = 20_000;
  const { sent, failed } = await attempt({ atMs: FIRST_SLOT_MS + waitedMs, waitedMs });
  expect(sent.map(({ slotMs }) => slotMs)).toEqual([FIRST_SLOT_MS]);
  const nextMs = FIRST_SLOT_MS + waitedMs + Number(failed?.nextRetryDelay);
  expect(Math.abs(nextMs - secondSlotMs)).toBeLessThan(1_000);
});

test('an attempt that may wait in line for longer goes on while it has to, and else ends its activity with what is stored', async () => {
  const inLine = await attempt({ isPatient: true, waitedMs: 20_000 });
  expect([inLine.sent.length, inLine.ended]).toEqual([1, null]);
  expect(inLine.failed).toMatchObject({ type: QUIET_SLOT_DONE });
  const next = await attempt({ isPatient: true, lastSlotMs: FIRST_SLOT_MS, waitedMs: 200 });
  const mark = { lastSlotMs: secondSlotMs, responseTimeMs: outcome.responseTimeMs };
  expect([next.sent.length, next.ended]).toEqual([1, { ...ENDED, mark, isStillQuiet: true }]);
  const refused = await attempt({ isPatient: true, receipt: 'outdated' });
  expect(refused.ended).toEqual({ ...ENDED, found: { slotMs: FIRST_SLOT_MS, outcome } });
});

test('switched off, what is quiet ends with its next slot', async () => {
  const { asked, ended } = await attempt({ isEnabled: false });
  expect([asked, ended]).toEqual([[], ENDED]);
});
