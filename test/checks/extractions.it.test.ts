/**
 * Tests what a step extracts from a response: values, null, and large numbers. Also tests which values remain after a
 * failure.
 */

import type { Assertion, StepDefinition } from '../../src/contracts/definition';
import { withoutMarks } from '../../src/contracts/json';
import { buildVars } from '../support/step-builder';
import { withStepTarget } from './support/step-target';

const SLOW_PATH = '$..*..*..*..*..*..*';

const { target, run, lastReceived } = withStepTarget();

function answerWith(json: string): void {
  target.respond = (_, response) => void response.end(json);
}

const expects299: Assertion = { type: 'status', operator: 'equals', value: 299, severity: 'fail' };
const id = { variable: 'id', from: 'jsonPath', path: '$.id' } as const;

it('an extracted null counts as found, and is sent as null', async () => {
  answerWith('{"id":null}');
  const outcome = await run({ extract: [{ ...id, default: 'none' }] });
  expect(outcome).toMatchObject({ failure: null, extracted: [{ name: 'id', value: null }] });
  await run(
    { method: 'POST', body: { exact: '{{id}}', within: 'x{{id}}' } },
    { vars: buildVars({ id: null }) },
  );
  expect(lastReceived().body).toBe('{"exact":null,"within":"xnull"}');
});

it('an integer beyond 2^53 is extracted as its text and sent unchanged', async () => {
  answerWith('{"id":1234567890123456789}');
  const { extracted } = await run({ extract: [id] });
  expect(extracted.map(({ value }) => withoutMarks(value))).toEqual(['1234567890123456789']);
  await run({ url: `${target.origin}/{{id}}` }, { vars: extracted });
  expect(lastReceived().url).toBe('/1234567890123456789');
});

describe('resolve: true', () => {
  const order = { variable: 'order', from: 'header', name: 'Location', resolve: true } as const;

  it.each([
    ['/v2/orders/7', '/v2/orders/7'],
    ['7?full=1#top', '/v1/7?full=1'],
    ['../orders/7', '/orders/7'],
    ['?page=2', '/v1/orders?page=2'],
    [' /v2/caf%C3%A9 ', '/v2/caf%C3%A9'],
  ])('`resolve: true` follows %s', async (location, expected) => {
    target.respond = (_, response) => void response.setHeader('location', location).end();
    const { extracted } = await run({ url: `${target.origin}/v1/orders`, extract: [order] });
    await run({ url: '{{order}}' }, { vars: extracted });
    expect(lastReceived().url).toBe(expected);
  });

  it('`resolve: true` resolves a link in a body against the final URL after redirects', async () => {
    target.respond = ({ url }, response) => {
      if (url === '/old') return void response.writeHead(302, { location: '/new/list' }).end();
      response.end('{"next":"page/2"}');
    };
    const next = { variable: 'next', from: 'jsonPath', path: '$.next', resolve: true } as const;
    const { extracted } = await run({ url: `${target.origin}/old`, extract: [next] });
    expect(extracted).toEqual([{ name: 'next', value: `${target.origin}/new/page/2` }]);
  });

  it.each(['mailto:a@example.com', 'http://', ''])(
    '`resolve: true` fails for %j',
    async (location) => {
      answerWith(JSON.stringify({ location }));
      const here = {
        variable: 'order',
        from: 'jsonPath',
        path: '$.location',
        resolve: true,
      } as const;
      expect(await run({ extract: [here] })).toMatchObject({
        failure: {
          code: 'extraction_failed',
          message: '“order” could not be extracted: it is not a URL of http or https.',
        },
      });
    },
  );

  it.each(['{{order}}', 'http://127.0.0.1{{order}}'])(
    'a relative URL that is filled in fails with advice to use `resolve: true`: %s',
    async (url) => {
      const outcome = await run({ url }, { vars: buildVars({ order: '/v2/orders/7' }) });
      expect(outcome.failure).toMatchObject({
        code: 'template_error',
        message: expect.stringContaining(
          'extract it with resolve: true, and begin the URL with {{order}}',
        ),
      });
    },
  );
});

it('values extracted by a failed step are kept', async () => {
  answerWith('{"id":7}');
  const missing = { variable: 'gone', from: 'jsonPath', path: '$.gone' } as const;
  for (const changes of [
    { extract: [id], assertions: [expects299] },
    { extract: [missing, id] },
  ] satisfies Partial<StepDefinition>[]) {
    const outcome = await run(changes);
    expect(outcome.status).toBe('down');
    expect(outcome.extracted).toEqual([{ name: 'id', value: 7 }]);
  }
});

it('values extracted by an earlier try are kept if a later try fails with a broken connection', async () => {
  let tries = 0;
  target.respond = (_, response) => {
    tries += 1;
    if (tries === 1) response.end('{"id":7}');
    else response.destroy();
  };
  const outcome = await run({ extract: [id], assertions: [expects299], retries: 1 });
  expect(outcome).toMatchObject({ failure: { code: 'connection_reset' } });
  expect(outcome.extracted).toEqual([{ name: 'id', value: 7 }]);
});

describe('a JSON path that is too slow', () => {
  beforeEach(() => {
    const items = Array.from({ length: 20_000 }, (_, number) => ({ number, tags: [1, 2, 3] }));
    answerWith(JSON.stringify({ id: 7, items }));
  });

  it('a JSON path that is too slow fails its own assertion only', async () => {
    const assertion = (path: string): Assertion => ({
      type: 'jsonPath',
      path,
      match: 'first',
      operator: 'exists',
      severity: 'fail',
    });
    const { assertions } = await run({ assertions: [assertion(SLOW_PATH), assertion('$.id')] });
    expect(assertions.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(assertions[1]?.message).toContain('path_too_slow');
  });

  it('a JSON path that is too slow fails its own extraction, without using its default', async () => {
    const slow = { variable: 'slow', from: 'jsonPath', path: SLOW_PATH, default: 'x' } as const;
    const outcome = await run({ extract: [slow, id] });
    expect(outcome.failure).toMatchObject({
      code: 'extraction_failed',
      message: expect.stringContaining('path_too_slow'),
    });
    expect(outcome.extracted).toEqual([{ name: 'id', value: 7 }]);
  });
});

it('a default replaces a missing value, even if the body is not JSON', async () => {
  for (const body of ['{}', 'no json', '']) {
    answerWith(body);
    const outcome = await run({ extract: [{ ...id, default: 'none' }] });
    expect(outcome).toMatchObject({ failure: null, extracted: [{ name: 'id', value: 'none' }] });
  }
});
