/** Tests the circuit breaker. The test decides whether the dependency responds, fails or hangs. */
import { createCircuit } from '../../src/platform/circuit';

class Away extends Error {}

function setUp() {
  let nowMs = 0;
  const calls: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];
  const circuit = createCircuit({ isAway: (error) => error instanceof Away, nowMs: () => nowMs });
  const { ask } = circuit.protect({
    ask: () => new Promise<void>((resolve, reject) => calls.push({ resolve, reject })),
  });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { ask, calls, pass };
}

test('the first call that finds a dependency away ends all waiting calls to the dependency', async () => {
  const { ask, calls } = setUp();
  const hanging = [ask(), ask(), ask()].map((call) => call.catch((error: unknown) => error));
  calls[1]?.reject(new Away());
  for (const call of hanging) expect(await call).toBeInstanceOf(Away);
});

test('while the circuit is open, calls fail at once and do not reach the dependency', async () => {
  const { ask, calls, pass } = setUp();
  const first = ask();
  calls[0]?.reject(new Away());
  await expect(first).rejects.toBeInstanceOf(Away);
  pass(1_999);
  for (let count = 0; count < 100; count += 1) await expect(ask()).rejects.toBeInstanceOf(Away);
  expect(calls).toHaveLength(1);
});

test('two seconds after the circuit opened, exactly one call tries the dependency again', async () => {
  const { ask, calls, pass } = setUp();
  const first = ask();
  calls[0]?.reject(new Away());
  await expect(first).rejects.toBeInstanceOf(Away);
  pass(2_000);
  const trial = ask();
  await expect(ask()).rejects.toBeInstanceOf(Away);
  expect(calls).toHaveLength(2);
  calls[1]?.reject(new Away());
  await expect(trial).rejects.toBeInstanceOf(Away);
  await expect(ask()).rejects.toBeInstanceOf(Away);
  expect(calls).toHaveLength(2);
  pass(2_000);
  const answered = ask();
  calls[2]?.resolve();
  await answered;
  void ask();
  void ask();
  expect(calls).toHaveLength(5);
});

test('any response of the dependency keeps the circuit closed, even a refusal', async () => {
  const { ask, calls } = setUp();
  const refused = ask();
  calls[0]?.reject(new Error('too large'));
  await expect(refused).rejects.toThrow('too large');
  void ask();
  expect(calls).toHaveLength(2);
});
