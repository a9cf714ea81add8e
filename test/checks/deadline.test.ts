/** Tests the deadline of an attempt. It ends the attempt at once, names the current phase, and stops the work. */
import { createDeadline } from '../../src/checks/deadline';
import { createPhaseClock } from '../../src/checks/phase-clock';
import type { Phase } from '../../src/contracts/outcome';

const never = () => new Promise<never>(() => undefined);

it.each([
  ['dns', 'dns_error'],
  ['connect', 'connection_timeout'],
  ['tls', 'timeout'],
  ['send', 'timeout'],
  ['ttfb', 'timeout'],
  ['download', 'timeout'],
] as const satisfies readonly (readonly [Phase, string])[])(
  'a timeout in the phase %s has the code %s, and stops work that would never end',
  async (phase, code) => {
    const clock = createPhaseClock();
    clock.enter(phase);
    const deadline = createDeadline(20, clock);
    let ended = 0;
    const work = deadline.within(never(), () => {
      ended += 1;
    });
    await expect(work).rejects.toMatchObject({ failure: { code, phase } });
    expect(ended).toBe(1);
    await expect(deadline.within(never(), () => undefined)).rejects.toMatchObject({
      failure: { code },
    });
    deadline.clear();
  },
);

it('work with a deadline that finishes in time returns its result and is not stopped', async () => {
  const deadline = createDeadline(5_000, createPhaseClock());
  const fail = () => {
    throw new Error('must not be called');
  };
  expect(await deadline.within(Promise.resolve(5), fail)).toBe(5);
  await expect(deadline.within(Promise.reject(new Error('own')), fail)).rejects.toThrow('own');
  deadline.clear();
});

it('the phase clock adds up repeated phases, and counts no time after it was stopped', () => {
  const clock = createPhaseClock();
  for (const phase of ['dns', 'connect', 'dns', 'ttfb'] as const) clock.enter(phase);
  clock.stop();
  const timings = clock.timings();
  clock.enter('download');
  expect(clock.timings()).toEqual(timings);
  expect(timings).toMatchObject({ tlsMs: null, downloadMs: null });
  expect(timings.dnsMs).toBeGreaterThanOrEqual(0);
});
