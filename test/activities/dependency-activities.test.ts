/**
 * Tests health checks of a dependency that many alerts share. Concurrent callers share one check and never get a report
 * that is too old. The test moves the clock.
 */
import { createDependencyActivities } from '../../src/activities/dependency-activities';
import type { HealthQuestion, HealthReport } from '../../src/contracts/dependencies';
import { systemClock as clock } from '../../src/platform/clock';

const REPORT: HealthReport = {
  kind: 'monitor',
  id: 'mon_p',
  name: 'P',
  standing: 'down',
  checkedAtMs: 10_000,
  okSinceMs: null,
  incidentId: 'inc_1',
  explainedBy: [],
};

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function open(answer: (question: HealthQuestion) => Promise<HealthReport | null>) {
  const questions: HealthQuestion[] = [];
  const { askDependencies } = createDependencyActivities({
    clock,
    reportHealth: (_id, question) => {
      questions.push(question);
      return answer(question);
    },
  });
  const ask = (sinceMs: number) =>
    askDependencies({ accountId: 'acc', askerId: 'c', ids: ['mon_p'], sinceMs, wantsCheck: true });
  /** Requests a report, and moves the clock by the longest time that a report may take. */
  const answerTo = async (sinceMs: number): Promise<HealthReport | undefined> => {
    const reports = ask(sinceMs);
    await jest.advanceTimersByTimeAsync(2_000);
    return (await reports)[0];
  };
  return { questions, ask, answerTo };
}

test('a thousand concurrent callers share one check of a dependency and its report', async () => {
  const { questions, ask } = open(async () => REPORT);
  const all = await Promise.all(Array.from({ length: 1_000 }, (_, index) => ask(9_000 + index)));
  expect(questions).toHaveLength(1);
  expect(all.every(([report]) => report?.standing === 'down')).toBe(true);
});

test('a failed check of a dependency is reused for 30 s, and a passed check only if it is newer than the failure', async () => {
  const up: HealthReport = { ...REPORT, standing: 'up', okSinceMs: 0 };
  const down = open(async () => REPORT);
  expect((await down.answerTo(39_000))?.standing).toBe('down');
  expect((await down.answerTo(41_000))?.standing).toBe('pending');
  const passed = open(async ({ sinceMs }) => ({ ...up, checkedAtMs: sinceMs + 1 }));
  expect((await passed.answerTo(1_000))?.checkedAtMs).toBe(1_001);
  expect((await passed.answerTo(1_001))?.checkedAtMs).toBe(1_001);
  expect((await passed.answerTo(2_000))?.checkedAtMs).toBe(2_001);
  expect(passed.questions).toHaveLength(2);
});

test('a dependency is `pending` while its check takes too long, and `gone` after its deletion', async () => {
  let answerWith: (report: HealthReport) => void = () => undefined;
  const slow = open(
    () =>
      new Promise((resolve) => {
        answerWith = resolve;
      }),
  );
  expect((await slow.answerTo(9_000))?.standing).toBe('pending');
  const later = slow.ask(9_000);
  answerWith(REPORT);
  expect((await later)[0]?.standing).toBe('down');
  expect(slow.questions).toHaveLength(1);
  expect((await open(async () => null).answerTo(1))?.standing).toBe('gone');
  const broken = open(() => Promise.reject(new Error('away')));
  expect((await broken.answerTo(1))?.standing).toBe('pending');
  expect(broken.questions).toHaveLength(1);
});
