/** Tests the limits of a request after its templates are filled in. A request above the limits is not sent. */
import type { JsonValue, StepDefinition } from '../../src/contracts/definition';
import { buildVars } from '../support/step-builder';
import { withStepTarget } from './support/step-target';

const MIB = 1_048_576;
const big = 'x'.repeat(32_768);

const { target, run: runStep } = withStepTarget();

function run(changes: Partial<StepDefinition>, vars: Readonly<Record<string, JsonValue>>) {
  return runStep(changes, { vars: buildVars(vars) });
}

it.each<[string, Partial<StepDefinition>]>([
  ['a body of text', { method: 'POST', body: '{{big}}'.repeat(33) }],
  ['a body of many members', { method: 'POST', body: Array<string>(33).fill('{{big}}') }],
  ['a body that escaping makes large', { method: 'POST', body: Array<string>(30).fill('{{nul}}') }],
  ['headers', { headers: [{ name: 'x-a', value: '{{big}}'.repeat(33) }] }],
  ['a URL', { url: `http://127.0.0.1/${'{{big}}'.repeat(33)}` }],
  [
    'everything together',
    {
      method: 'POST',
      body: '{{big}}'.repeat(20),
      headers: [{ name: 'x-a', value: '{{big}}'.repeat(20) }],
    },
  ],
])('nothing is sent if the size of %s exceeds 1 MiB', async (_, changes) => {
  const outcome = await run(changes, { big, nul: '\0'.repeat(10_000) });
  expect(outcome).toMatchObject({
    status: 'down',
    failure: { code: 'template_error', message: expect.stringContaining('1 MiB') },
  });
  expect(target.received).toEqual([]);
});

it('building a request stops at the size limit, however large the request would become', async () => {
  const body = '{{big}}'.repeat(17_000);
  const before = process.memoryUsage().rss;
  await run({ method: 'POST', body }, { big });
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);
});

it('a variable that contains digits is written into a text body with exactly these digits', async () => {
  const headers = [{ name: 'Content-Type', value: 'application/json' }];
  await run({ method: 'POST', headers, body: '{"id": {{id}}}' }, { id: '1003200000000001759' });
  expect(target.received[0]?.body).toBe('{"id": 1003200000000001759}');
  expect(target.received[0]?.headers['content-type']).toBe('application/json');
});

it('a request of up to 1 MiB is sent', async () => {
  const body = `${'{{big}}'.repeat(31)}${'y'.repeat(1_000)}`;
  await run({ method: 'POST', body }, { big });
  expect(target.received[0]?.body).toHaveLength(31 * 32_768 + 1_000);
});

it.each([
  ['a character outside Latin-1', 'price: 5 €'],
  ['a control character', 'a\u0001b'],
])('nothing is sent with %s in a header', async (_, value) => {
  const outcome = await run({ headers: [{ name: 'x-a', value: '{{value}}' }] }, { value });
  expect(outcome.failure).toMatchObject({ code: 'template_error', phase: 'prepare' });
  expect(target.received).toEqual([]);
});

it('nothing is sent if the filled-in URL has no host', async () => {
  for (const base of ['http://', 'https://', 'http:///']) {
    const outcome = await run({ url: '{{base}}/x' }, { base });
    expect(outcome.failure).toMatchObject({ code: 'template_error' });
  }
});

it('if variables have no value, the failure names each of these variables', async () => {
  const outcome = await run({ headers: [{ name: 'x-a', value: '{{token}}' }] }, {});
  expect(outcome).toMatchObject({ missingVariable: 'token', failure: { code: 'template_error' } });
});
