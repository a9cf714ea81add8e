/** Tests that an outcome without measurements contains its times and the reason, and nothing else. */
import { createUnmeasuredOutcome } from '../../../src/domain/health/unmeasured';

test('an outcome without a measurement has only a status, its times and its failure', () => {
  const failure = { code: 'worker_lost', message: 'The worker was lost.', phase: null } as const;
  const times = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:09.000Z'] as const;
  expect(createUnmeasuredOutcome('unknown', failure, times)).toEqual({
    status: 'unknown',
    startedAt: times[0],
    finishedAt: times[1],
    failure,
    responseTimeMs: null,
    timings: null,
    request: null,
    response: null,
    tls: null,
    assertions: [],
    attempts: [],
    extracted: [],
  });
});
