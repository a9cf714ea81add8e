/** Tests that a repeated ping gives no second result, and never makes a job seem silent. */
import fc from 'fast-check';
import type { Ping, PingKind } from '../../../src/contracts/heartbeat';
import { judgePing, NO_PROGRESS } from '../../../src/domain/heartbeats/heartbeat';
import { applyPing, type JobHistory } from '../../../src/domain/heartbeats/repeated-pings';
import { HOURLY } from '../../support/outcomes';
import { propertyOptions } from '../../support/property-runs';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const FRESH: JobHistory = { progress: NO_PROGRESS, ended: [] };

function ping(atMs: number, kind: PingKind, change: Partial<Ping> = {}): Ping {
  const quiet = { exitCode: null, runId: 'a', failedOn: null, text: null, nextDueMs: null };
  return { id: 'png_1', atMs, kind, ...quiet, ...change };
}

/** Returns the status and duration of each run that gave a result. The duration is `none` for a run without a start. */
function resultsOf(pings: readonly Ping[]): readonly string[] {
  let standing = FRESH;
  return pings.flatMap((each) => {
    const applied = applyPing(standing, each, HOURLY);
    standing = applied;
    if (applied.verdict === null) return [];
    const { status, responseTimeMs } = applied.verdict.outcome;
    return [`${status} ${responseTimeMs ?? 'none'}`];
  });
}

test('if the end of a run is reported again within ten minutes, the run has one result', () => {
  const again = (afterMs: number) => [
    ping(0, 'start'),
    ping(SECOND, 'success', { exitCode: 0 }),
    ping(SECOND + afterMs, 'success', { exitCode: 0 }),
  ];
  expect(resultsOf(again(10 * MINUTE))).toEqual(['up 1000']);
  expect(resultsOf(again(10 * MINUTE + 1))).toEqual(['up 1000', 'up none']);
});

test('a different end, another run and a restarted run each give a further result', () => {
  expect(resultsOf([ping(0, 'success'), ping(1, 'fail')])).toEqual(['up none', 'down none']);
  const codes = [ping(0, 'fail', { exitCode: 1 }), ping(1, 'fail', { exitCode: 2 })];
  expect(resultsOf(codes)).toHaveLength(2);
  expect(resultsOf([ping(0, 'success'), ping(1, 'success', { runId: 'b' })])).toHaveLength(2);
  const anew = [ping(0, 'start'), ping(5, 'success'), ping(6, 'start'), ping(9, 'success')];
  expect(resultsOf(anew)).toEqual(['up 5', 'up 3']);
});

test('pings without a run id never count as repeated', () => {
  const unnamed = [0, 1, 2].map((atMs) => ping(atMs, 'success', { runId: '' }));
  expect(resultsOf(unnamed)).toHaveLength(3);
});

test('a start that is reported again within a minute does not change the start time of the run', () => {
  const lengthAfter = (againMs: number) =>
    resultsOf([ping(0, 'start'), ping(againMs, 'start'), ping(2 * MINUTE, 'success')]);
  expect(lengthAfter(MINUTE)).toEqual([`up ${2 * MINUTE}`]);
  expect(lengthAfter(MINUTE + 1)).toEqual([`up ${MINUTE - 1}`]);
});

test('a repeated ping still moves the due time, and repeats of the last twenty pings are recognized', () => {
  const kinds = fc.constantFrom<PingKind>('start', 'success', 'fail', 'log');
  const one = fc.record({ kind: kinds, runId: fc.constantFrom('', 'a', 'b'), gap: fc.nat(MINUTE) });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 60 }), (sent) => {
      let standing = FRESH;
      let plain = NO_PROGRESS;
      let atMs = 0;
      for (const { kind, runId, gap } of sent) {
        atMs += gap;
        standing = applyPing(standing, ping(atMs, kind, { runId }), HOURLY);
        plain = judgePing(plain, ping(atMs, kind, { runId }), HOURLY).progress;
        expect(standing.progress.dueAtMs).toBe(plain.dueAtMs);
      }
    }),
    propertyOptions(100),
  );
  let many = FRESH;
  for (let run = 0; run < 25; run += 1)
    many = applyPing(many, ping(run, 'success', { runId: `${run}` }), HOURLY);
  expect(many.ended.map(({ runId }) => runId)).toEqual(
    Array.from({ length: 20 }, (_, index) => `${index + 5}`),
  );
});
