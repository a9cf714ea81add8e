/** Tests a clock that all processes share, even if the clocks of their hosts are wrong. */
import fc from 'fast-check';
import { createSharedClock, startSynchronizing } from '../../src/platform/shared-clock';
import { propertyOptions } from '../support/property-runs';

const TRUE_MS = Date.parse('2026-03-20T12:00:00Z');
const HOUR = 3_600_000;

/** Starts a host with a wrong clock. Its time passes only when the test moves it. */
function startHost(offByMs: number) {
  let passedMs = 0;
  let stepMs = offByMs;
  const source = () => Math.floor(TRUE_MS + passedMs);
  return {
    source,
    pass: (ms: number) => {
      passedMs += ms;
    },
    step: (byMs: number) => {
      stepMs += byMs;
    },
    clock: createSharedClock({
      wallNow: () => TRUE_MS + passedMs + stepMs,
      steadyNow: () => 500 + passedMs,
    }),
  };
}

test.each([HOUR, -HOUR, 24 * HOUR, 0])(
  'after one sync, a host that is %d ms off shows the time of the source',
  async (offByMs) => {
    const { clock, source, pass } = startHost(offByMs);
    expect(clock.now()).toBe(TRUE_MS + offByMs);
    const close = await startSynchronizing(clock, async () => source());
    close();
    expect(Math.abs(clock.now() - source())).toBeLessThanOrEqual(1);
    pass(90_000);
    expect(Math.abs(clock.now() - source())).toBeLessThanOrEqual(1);
  },
);

test('a change of the host clock does not change the shared clock once it has started', async () => {
  const { clock, source, step, pass } = startHost(0);
  step(HOUR);
  pass(1_000);
  expect(clock.now()).toBe(source());
});

test('while its source is away, the shared clock continues', async () => {
  const { clock, source, pass } = startHost(0);
  const close = await startSynchronizing(clock, () => Promise.reject(new Error('away')));
  close();
  pass(60_000);
  expect(clock.now()).toBe(source());
});

test('the shared clock differs from its source by no more than the latency, and is adjusted only if needed', () => {
  const ways = fc.array(fc.record({ there: fc.nat(3_000), back: fc.nat(3_000) }), { minLength: 1 });
  fc.assert(
    fc.property(fc.integer({ min: -HOUR, max: HOUR }), ways, (offByMs, looks) => {
      const { clock, source, pass } = startHost(offByMs);
      let errorMs = Math.abs(clock.now() - source());
      for (const { there, back } of looks) {
        const askedAtMs = clock.steadyNow();
        pass(there);
        const shownMs = source();
        pass(back);
        clock.adjust({ shownMs, askedAtMs, receivedAtMs: clock.steadyNow() });
        const nowMs = Math.abs(clock.now() - source());
        expect(nowMs).toBeLessThanOrEqual(Math.max(there, back) + 1);
        expect(nowMs).toBeLessThanOrEqual(errorMs + 1);
        errorMs = nowMs;
      }
    }),
    propertyOptions(100),
  );
});
