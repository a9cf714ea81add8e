/** Tests the activity of a watch in the test environment of the SDK. */
import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { AttemptEnd } from '../../../src/activities/watches/running-watch';
import { createWatchActivities } from '../../../src/activities/watches/watch-activities';
import type { Watcher } from '../../../src/activities/watches/watcher';
import { UNCONFIRMED_END } from '../../../src/domain/health/steady-outcome';

/** A fake watcher that runs until it is cancelled. */
const watcher: Pick<Watcher, 'watch'> = {
  watch: (_, { signal }) =>
    new Promise<AttemptEnd>((resolve) => {
      signal.addEventListener('abort', () => resolve({ kind: 'cancelled', end: UNCONFIRMED_END }));
    }),
};

async function endOf(why: Partial<ActivityCancellationDetails>): Promise<AttemptEnd['kind']> {
  const ends: AttemptEnd['kind'][] = [];
  const { watchMonitor } = createWatchActivities(watcher, async ({ kind }) => {
    ends.push(kind);
    return UNCONFIRMED_END;
  });
  const environment = new MockActivityEnvironment();
  const ended = environment.run(watchMonitor, {} as never);
  environment.cancel('CANCELLED', new ActivityCancellationDetails(why));
  await ended;
  return ends[0] ?? 'replaced';
}

test.each([
  [{ cancelRequested: true }, 'cancelled'],
  [{ cancelRequested: true, paused: true }, 'cancelled'],
  [{ paused: true }, 'handed over'],
  [{ reset: true }, 'handed over'],
  [{ timedOut: true }, 'handed over'],
])(
  'when Temporal cancels the activity of a watch with %j, the watch is reported as %s',
  async (why, kind) => {
    expect(await endOf(why)).toBe(kind);
  },
);
