/** Questions to what others depend on: one for all who ask, and never an old report for a fresh one. */
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

function open(answer: (question: HealthQuestion) => Promise<HealthReport | null>) {
  const questions: HealthQuestion[] = [];
  const { askDependencies } = createDependencyActivities({
    clock,
    reportHealth: (_id, question) => {
      questions.push(question);
      return answer(question);
    },
  });
  const ask = (sinceMs: number, wantsCheck = true) =>
    askDependencies({ accountId: 'acc', askerId: 'c', ids: ['mon_p'], sinceMs, wantsCheck });
  return { questions, ask };
}

test('a thousand who ask at a time are one question, and all get its report', async () => {
  const { questions, ask } = open(async () => REPORT);
  const all = await Promise.all(Array.from({ length: 1_000 }, (_, index) => ask(9_000 + index)));
  expect(questions).toHaveLength(1);
  expect(all.every(([report]) => report?.standing === 'down')).toBe(true);
});

test('a failed check holds for half a minute; one that passed must be newer than the failure', async () => {
  const up: HealthReport = { ...REPORT, standing: 'up', okSinceMs: 0 };
  const down = open(async () => REPORT);
  expect((await down.ask(39_000))[0]?.standing).toBe('down');
  expect((await down.ask(41_000))[0]?.standing).toBe('pending');
  const passed = open(async ({ sinceMs }) => ({ ...up, checkedAtMs: sinceMs + 1 }));
  expect((await passed.ask(1_000))[0]?.checkedAtMs).toBe(1_001);
  expect((await passed.ask(1_001))[0]?.checkedAtMs).toBe(1_001);
  expect((await passed.ask(2_000))[0]?.checkedAtMs).toBe(2_001);
  expect(passed.questions).toHaveLength(2);
});

test('says that it does not know yet while a check takes its time, and who is gone', async () => {
  let answerWith: (report: HealthReport) => void = () => undefined;
  const slow = open(
    () =>
      new Promise((resolve) => {
        answerWith = resolve;
      }),
  );
  expect((await slow.ask(9_000))[0]?.standing).toBe('pending');
  const later = slow.ask(9_000);
  answerWith(REPORT);
  expect((await later)[0]?.standing).toBe('down');
  expect(slow.questions).toHaveLength(1);
  expect((await open(async () => null).ask(1))[0]?.standing).toBe('gone');
  const broken = open(() => Promise.reject(new Error('away')));
  expect((await broken.ask(1))[0]?.standing).toBe('pending');
  expect(broken.questions).toHaveLength(1);
});
