import fc from 'fast-check';
import { createAttemptClock } from '../../src/activities/attempt-clock';

const QUEUED_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;

/** A clock beside a server whose own is `offMs` from it; attempts arrive after `wayMs`. */
function clocks(offMs = 0) {
  let atMs = 0;
  const read = createAttemptClock(() => atMs);
  return (passedMs: number, wayMs: number) => {
    atMs += passedMs;
    return read(QUEUED_MS + offMs + atMs - wayMs);
  };
}

describe('the clock of attempts', () => {
  it('takes the first attempt for one that has not waited', () => {
    expect(clocks()(0, 40)).toEqual({ nowMs: QUEUED_MS - 40, waitedMs: 0 });
  });

  it('says how long each waited longer than the shortest, whatever the difference of clocks is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 40 }),
        (offMs, waits) => {
          const attempt = clocks(offMs);
          attempt(0, 0);
          expect(waits.map((waitMs) => attempt(1_000, waitMs).waitedMs)).toEqual(waits);
        },
      ),
    );
  });

  it('knows the shortest way through an hour in which every attempt has waited', () => {
    const attempt = clocks();
    attempt(0, 0);
    for (let minute = 0; minute < 60; minute += 1)
      expect(attempt(MINUTE_MS, 20_000).waitedMs).toBe(20_000);
  });

  it('sees at once that a server was set forward, and within two hours that it was set back', () => {
    const attempt = clocks();
    attempt(0, 0);
    expect(attempt(1_000, -30_000).waitedMs).toBe(0);
    expect(attempt(1_000, 0).waitedMs).toBe(30_000);
    for (let minute = 0; minute < 120; minute += 1) attempt(MINUTE_MS, 0);
    expect(attempt(1_000, 0).waitedMs).toBe(0);
  });
});
