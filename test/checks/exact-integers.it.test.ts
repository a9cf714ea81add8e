/** Tests that integers beyond the precision of JavaScript numbers stay exact from the response to the next request. */

import type { Assertion, JsonValue, StepDefinition } from '../../src/contracts/definition';
import { readLargeInteger } from '../../src/contracts/json';
import { validate } from '../../src/schemas/issues';
import { monitorBody } from '../../src/schemas/monitor';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { buildDefinition, buildRunner } from '../support/step-builder';

const IDS = [
  '1003200000000001759',
  '9007199254740993',
  '-9007199254740993',
  '12345678901234567890',
];
let id = '';
let target: RecordingTarget;
const runner = buildRunner();

beforeAll(async () => {
  target = await startRecordingTarget((_, response) =>
    response.end(
      `{"id": ${id}, "text": "${id}", "list": [{"id": ${id}, "n": 3}, {"id": 7, "n": 4}]}`,
    ),
  );
});
afterAll(async () => {
  await Promise.all([runner.close(), target.close()]);
});

async function run(changes: Partial<StepDefinition>, value?: JsonValue) {
  const definition = buildDefinition({ url: `${target.origin}/`, timeoutMs: 30_000, ...changes });
  const vars = value === undefined ? [] : [{ name: 'id', value }];
  return await runner.runStep(definition, 0, { slotMs: 0, vars });
}

function assertion(operator: Assertion['operator'], value: JsonValue, path = '$.id'): Assertion {
  return { type: 'jsonPath', path, match: 'first', operator, value, severity: 'fail' };
}

async function extract(path = '$.id'): Promise<JsonValue> {
  const { extracted } = await run({ extract: [{ from: 'jsonPath', variable: 'id', path }] });
  return extracted[0]?.value ?? null;
}

describe.each(IDS)('the integer %s', (digits) => {
  beforeEach(() => {
    id = digits;
  });
  const other = `${digits.slice(0, -1)}${(Number(digits.at(-1)) + 1) % 10}`;

  it('a large integer that one step extracts is equal to the same integer in the next step', async () => {
    const value = await extract();
    const { status } = await run({ assertions: [assertion('equals', '{{id}}')] }, value);
    expect(status).toBe('up');
  });

  it.each(['$.list[0].id', '$..id', '$.list[?(@.n == 3)].id', "$['list'][*]['id']"])(
    'a large integer is extracted by %s',
    async (path) => {
      expect(readLargeInteger(await extract(path))).toBe(digits);
    },
  );

  it('a large integer is sent as a number in a body, and as digits in texts and URLs', async () => {
    const value = await extract();
    target.received.length = 0;
    const body = { id: '{{id}}', text: 'order {{id}}', list: ['{{id}}'] };
    await run({ method: 'POST', url: `${target.origin}/{{id}}?id={{id}}`, body }, value);
    const [sent] = target.received;
    expect(sent?.body).toBe(`{"id":${digits},"text":"order ${digits}","list":[${digits}]}`);
    expect(sent?.url).toBe(`/${digits}?id=${digits}`);
    await run(
      { method: 'POST', graphql: { query: 'q', variables: { id: '{{id}}' } }, body: null },
      value,
    );
    expect(target.received[1]?.body).toBe(`{"query":"q","variables":{"id":${digits}}}`);
  });

  it.each<[Assertion['operator'], string, boolean]>([
    ['equals', digits, true],
    ['equals', other, false],
    ['notEquals', other, true],
    ['notEquals', digits, false],
    ['typeIs', 'number', true],
    ['typeIs', 'string', false],
    ['contains', digits.slice(3), true],
    ['matches', `^${digits}$`, true],
  ])(
    'a large integer is compared without rounding by %s with %s: %s',
    async (operator, value, isOk) => {
      const outcome = await run({ assertions: [assertion(operator, value)] });
      expect(outcome.assertions.at(-1)?.ok).toBe(isOk);
      expect(outcome.assertions.at(-1)?.actual).toBe(digits);
      expect(JSON.stringify(outcome)).not.toContain('\ufdd0');
    },
  );

  it('a large integer is compared exactly by the operators greater and less', async () => {
    const value = await extract();
    const larger = String(BigInt(digits) + 1n);
    const orders: readonly (readonly [Assertion['operator'], string, boolean])[] = [
      ['lessThanOrEqual', '{{id}}', true],
      ['lessThan', '{{id}}', false],
      ['greaterThanOrEqual', '{{id}}', true],
    ];
    const assertions = orders.map(([operator, expected]) => assertion(operator, expected));
    const outcome = await run({ assertions }, value);
    expect(outcome.assertions.slice(1).map(({ ok }) => ok)).toEqual(orders.map(([, , ok]) => ok));
    id = larger;
    const next = await run({ assertions: [assertion('greaterThan', '{{id}}')] }, value);
    expect(next.status).toBe('up');
  });
});

it.each([Number('1003200000000001759'), -(2 ** 53), [1, 2 ** 53 + 2], { a: 2 ** 60 }])(
  'a number that lost digits before the request arrived is refused: %j',
  (value) => {
    const read = (expected: unknown) =>
      validate(monitorBody, {
        name: 'a',
        url: 'https://a.example',
        assertions: [{ type: 'jsonPath', path: '$.id', operator: 'equals', value: expected }],
      });
    expect(read(value)).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining('write it in quotes') }],
    });
    expect(read('1003200000000001759').ok).toBe(true);
    expect(read(9007199254740991).ok).toBe(true);
  },
);
