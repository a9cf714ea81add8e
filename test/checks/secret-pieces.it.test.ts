/**
 * Tests that a secret that a target sends back is not revealed, whole or in pieces. For any definition, the outcome is
 * the same for two different values of the secret.
 */
import type { Assertion, Extraction, StepDefinition } from '../../src/contracts/definition';
import { withStepTarget } from './support/step-target';

const [ONE, OTHER] = ['aaaa-bbbb-1111', 'zzzz-yyyy-9999'];
const headers = [{ name: 'X-Key', value: '{{secret:key}}' }];

const { target, run } = withStepTarget({ step: { headers, followRedirects: true } });

beforeEach(() => {
  target.respond = ({ url, headers: received }, response) => {
    const key = String(received['x-key']);
    if (url === '/') {
      response.writeHead(302, { location: `/next?key=${key}` }).end();
      return;
    }
    response.setHeader('X-Echo', `key ${key}`);
    response.end(JSON.stringify({ key, list: [{ id: 1, key }], text: `the key ${key} of all` }));
  };
});

const asserts = (type: object, operator: string, value?: unknown) => {
  const assertion = { severity: 'fail', ...type, operator, ...(value !== undefined && { value }) };
  // The rows of the table are plain objects, so the type must be asserted.
  return { assertions: [assertion as Assertion] };
};
const extracts = (extraction: object) => ({
  extract: [{ variable: 'piece', ...extraction } as Extraction],
});
const path = (at: string, match = 'first') => ({ type: 'jsonPath', path: at, match });

const WAYS: Readonly<Record<string, Partial<StepDefinition>>> = {
  'a capture from the body': extracts({ from: 'body', pattern: 'key":"(.)' }),
  'a capture from a header': extracts({ from: 'header', name: 'x-echo', pattern: 'key (.)' }),
  'a capture from the final URL': extracts({ from: 'finalUrl', pattern: 'key=(.)' }),
  'a pattern that may match nothing': extracts({
    from: 'body',
    pattern: 'key a+',
    default: 'no',
  }),
  'a filter with an ordering': extracts({
    from: 'jsonPath',
    path: '$.list[?(@.key < "m")].id',
    default: 0,
  }),
  'the body contains': asserts({ type: 'body' }, 'contains', 'key aaaa'),
  'the body does not contain': asserts({ type: 'body' }, 'notContains', 'key aaaa'),
  'the body matches': asserts({ type: 'body' }, 'matches', 'key a'),
  'the body does not match': asserts({ type: 'body' }, 'notMatches', 'key a'),
  'a header starts with': asserts({ type: 'header', name: 'X-Echo' }, 'startsWith', 'key aa'),
  'a header ends with': asserts({ type: 'header', name: 'X-Echo' }, 'endsWith', '1'),
  'a header matches': asserts({ type: 'header', name: 'X-Echo' }, 'matches', '[a-m]{4}'),
  'the final URL contains': asserts({ type: 'redirect', name: 'finalUrl' }, 'contains', '=aa'),
  'a value starts with': asserts(path('$.key'), 'startsWith', 'a'),
  'a value contains': asserts(path('$.text'), 'contains', 'key a'),
  'a value matches': asserts(path('$.key'), 'matches', '^[a-m]'),
  'the number of matches of a filter': asserts(
    path('$.list[?(@.key < "m")]', 'count'),
    'equals',
    1,
  ),
  'a schema with a pattern': asserts({ type: 'jsonSchema' }, 'matches', {
    properties: { key: { pattern: '^a' } },
  }),
};

/** Runs a check with this value of the secret. Returns the outcome that is stored, without its times. */
async function outcomeWith(value: string, step: Partial<StepDefinition>) {
  const secrets = [{ name: 'key', value }];
  const { status, failure, extracted, assertions } = await run(step, { secrets });
  const known = JSON.stringify({ status, failure, extracted, assertions });
  return known.replaceAll(target.origin, '');
}

test.each(Object.entries(WAYS))(
  'the assertion or extraction “%s” reveals no piece of the secret',
  async (_, step) => {
    const one = await outcomeWith(ONE, step);
    expect(await outcomeWith(OTHER, step)).toBe(one);
  },
);

test('a value that contains a secret stays secret in later steps', async () => {
  const secrets = [{ name: 'key', value: ONE }];
  const sealExtracted = (name: string): string => `sealed ${name}`;
  const whole = extracts({ from: 'jsonPath', path: '$.text' });
  const { extracted } = await run(whole, { secrets, sealExtracted });
  expect(extracted).toEqual([{ name: 'piece', value: 'sealed piece', secret: true }]);
  const cut = { from: 'body', pattern: 'the key (\\S+)' };
  const refused = await run(extracts(cut), { secrets, sealExtracted });
  expect(refused.failure).toMatchObject({
    code: 'extraction_failed',
    message: expect.stringContaining('extract it with "secret": true'),
  });
  const asSecret = await run(extracts({ ...cut, secret: true }), { secrets, sealExtracted });
  expect(asSecret.extracted).toEqual([{ name: 'piece', value: 'sealed piece', secret: true }]);
});

test('an expected value may contain a secret, and a body without the secret is compared unchanged', async () => {
  const secrets = [{ name: 'key', value: ONE }];
  const same = await run(asserts(path('$.text'), 'equals', `the key ${ONE} of all`), { secrets });
  expect(same.status).toBe('up');
  target.respond = (_, response) => response.end('{"version":"1.2.3"}');
  const plain = await run(
    {
      ...asserts(path('$.version'), 'matches', '^\\d+\\.\\d+'),
      ...extracts({ from: 'body', pattern: 'version":"([^"]+)' }),
    },
    { secrets },
  );
  expect(plain).toMatchObject({ status: 'up', extracted: [{ name: 'piece', value: '1.2.3' }] });
});
