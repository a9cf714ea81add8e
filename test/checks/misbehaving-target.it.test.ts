/**
 * Tests each way in which a target can misbehave. The check gets the right failure code, ends by its deadline, and uses
 * little memory.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { StepRunner } from '../../src/checks/step-runner';
import type { Definition } from '../../src/contracts/definition';
import type { StepOutcome } from '../../src/contracts/outcome';
import { BAD_CONNECTIONS, BROKEN_TLS, type Misbehaviour } from '../support/bad-connections';
import { BAD_ANSWERS } from '../support/bad-responses';
import { startTarget, testAuthority } from '../support/misbehaving-target';
import { buildDefinition, buildRunner } from '../support/step-builder';

const isHang = ({ code }: Misbehaviour): boolean => code === 'timeout';

/**
 * Returns the timeout in milliseconds. It is short if the check is expected to time out. Otherwise it is long enough to
 * classify the response on a busy machine.
 */
function timeoutFor(behaviour: Misbehaviour): number {
  return isHang(behaviour) ? 3_000 : 30_000;
}

const AT_ONCE = 10;
const MEMORY_GROWTH_MAX = 32 * 1024 * 1024;

let runner: StepRunner;
beforeAll(() => {
  runner = buildRunner({ extraAuthorities: [testAuthority()] });
});
afterAll(() => runner.close());

function definitionFor(url: string, behaviour: Misbehaviour): Definition {
  const { method = 'GET' } = behaviour;
  return buildDefinition({ url, method, timeoutMs: timeoutFor(behaviour) });
}

async function meet(behaviour: Misbehaviour, scheme: string): Promise<StepOutcome> {
  const target = await startTarget(behaviour);
  const url = `${scheme}://127.0.0.1:${target.port}/`;
  try {
    return await runner.runStep(definitionFor(url, behaviour), 0, { slotMs: 0 });
  } finally {
    await target.close();
  }
}

/** Runs all hanging cases at once. Of the other cases, runs only a few at a time. */
async function meetAll(behaviours: readonly Misbehaviour[], scheme: (one: Misbehaviour) => string) {
  const seen = new Map<string, StepOutcome>();
  const queue = behaviours.filter((one) => !isHang(one));
  const meetOne = async (one: Misbehaviour) => {
    seen.set(one.name, await meet(one, scheme(one)));
  };
  const work = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await meetOne(one);
  };
  const working = Array.from({ length: AT_ONCE }, work);
  await Promise.all([...working, ...behaviours.filter(isHang).map(meetOne)]);
  return seen;
}

function explain({ failure }: StepOutcome): string {
  return `${failure?.code ?? null} ${failure?.phase} ${failure?.message}`;
}

describe.each([
  { scheme: 'http', behaviours: [...BAD_CONNECTIONS, ...BAD_ANSWERS] },
  { scheme: 'https', behaviours: BROKEN_TLS },
])('a target reached over $scheme', ({ scheme, behaviours }) => {
  let seen: ReadonlyMap<string, StepOutcome>;
  beforeAll(async () => {
    seen = await meetAll(behaviours, ({ tls }) => (tls === undefined ? scheme : 'https'));
  });

  it.each(behaviours)(
    'the check of a server that $name has the failure code $code',
    (behaviour) => {
      const { name, code, phase } = behaviour;
      const one = seen.get(name);
      if (one === undefined) throw new Error('was not met');
      expect({ code: one.failure?.code ?? null, why: explain(one) }).toEqual({
        code,
        why: explain(one),
      });
      if (phase !== undefined) expect(one.failure?.phase).toBe(phase);
      expect(one.status).toBe(code === null ? 'up' : 'down');
    },
  );
});

describe('a decompression bomb or an endless response', () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const large = BAD_ANSWERS.filter(({ name }) => /bomb|endless|gigabytes|flood/.test(name));

  it.each(large)(
    'the check of a server that $name uses at most 32 MB at any moment',
    async (behaviour) => {
      if (typeof collect === 'function') collect();
      const held = () => process.memoryUsage().arrayBuffers;
      const before = held();
      let most = 0;
      const timer = setInterval(() => {
        most = Math.max(most, held() - before);
      }, 2);
      await meet(behaviour, 'http');
      clearInterval(timer);
      expect(most).toBeLessThan(MEMORY_GROWTH_MAX);
    },
  );
});
