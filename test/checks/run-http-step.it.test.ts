/** Tests one step against a real server: what is sent, what is measured, and what is returned. */
import type { Assertion, StepDefinition } from '../../src/contracts/definition';
import { buildDefinition, buildRunner, buildVars } from '../support/step-builder';
import { withStepTarget } from './support/step-target';

const { target, run, lastReceived } = withStepTarget({
  variables: { own: 'mine' },
  respond: (_, response) => response.end('{"ok":true,"items":[{"id":7},{"id":8}],"name":"a b"}'),
});

const jsonPath = (path: string, value: number | string): Assertion => ({
  type: 'jsonPath',
  path,
  match: 'first',
  operator: 'equals',
  value,
  severity: 'fail',
});

test('a step ends when the time limit of its run ends, even if the step has tries left', async () => {
  target.respond = () => undefined;
  const outcome = await run({ timeoutMs: 30_000, retries: 3 }, { limitMs: 200 });
  // On a busy machine, the time limit may end before the connection is open.
  const code = expect.stringMatching(/^(connection_)?timeout$/);
  expect(outcome).toMatchObject({ status: 'down', failure: { code } });
  expect(outcome.attempts).toHaveLength(1);
});

describe('the request', () => {
  it('the request has a user agent that names Keepwatch, and no unusual headers', async () => {
    await run();
    expect(lastReceived().headers).toEqual({
      host: new URL(target.origin).host,
      connection: 'close',
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': 'Keepwatch/1.2.3 (+https://github.com/keepwatch/keepwatch)',
    });
  });

  it('the request uses the headers of the definition instead of the built-in headers', async () => {
    const headers = [
      { name: 'User-Agent', value: 'mine' },
      { name: 'Host', value: 'other.example' },
      { name: 'X-A', value: '{{own}} {{$region}}' },
    ];
    await run({ headers });
    expect(lastReceived().headers).toMatchObject({
      'user-agent': 'mine',
      host: 'other.example',
      'x-a': 'mine eu-west',
    });
  });

  it.each([
    ['POST', { a: '{{n}}' }, '{"a":5}', 'application/json'],
    ['PUT', ['{{n}}', 'x{{n}}'], '[5,"x5"]', 'application/json'],
    ['PATCH', 'a={{own}}', 'a=mine', undefined],
    ['DELETE', null, '', undefined],
    ['POST', '{{list}}', '[1,2]', 'application/json'],
  ] as const)('the request sends %s with body %j as %s', async (method, body, sent, type) => {
    await run({ method, body }, { vars: buildVars({ n: 5, list: [1, 2] }) });
    expect(lastReceived()).toMatchObject({ method, body: sent });
    expect(lastReceived().headers['content-type']).toBe(type);
  });

  it('the request encodes values in the URL and masks only secrets', async () => {
    const outcome = await run(
      { url: `${target.origin}/{{x}}?q={{x}}` },
      { vars: buildVars({ x: 'a/b c' }) },
    );
    expect(lastReceived().url).toBe('/a%2Fb%20c?q=a%2Fb%20c');
    expect(outcome.request).toMatchObject({
      method: 'GET',
      url: `${target.origin}/a%2Fb%20c?q=a%2Fb%20c`,
    });
  });

  it('the request uses a new connection for each check', async () => {
    await Promise.all([run(), run(), run()]);
    expect(target.received.map(({ headers }) => headers.connection)).toEqual(
      Array(3).fill('close'),
    );
  });

  it.each<[string, Partial<StepDefinition>, string]>([
    ['an unknown variable', { headers: [{ name: 'a', value: '{{gone}}' }] }, 'template_error'],
    ['an unknown secret', { headers: [{ name: 'a', value: '{{secret:gone}}' }] }, 'secret_missing'],
    [
      'a line break in a header',
      { headers: [{ name: 'a', value: '{{lines}}' }] },
      'template_error',
    ],
    ['a NUL in a header', { headers: [{ name: 'a', value: 'x\0y' }] }, 'template_error'],
    ['a framing header', { headers: [{ name: 'Content-Length', value: '5' }] }, 'template_error'],
    ['an invalid header name', { headers: [{ name: 'a b', value: '5' }] }, 'template_error'],
    ['a password in the URL', { url: 'http://u:p@127.0.0.1/' }, 'template_error'],
    ['an invalid URL', { url: '{{own}}' }, 'template_error'],
    ['a refused IP address', { url: 'http://10.0.0.1/' }, 'blocked_target'],
    ['a refused scheme', { url: 'file:///etc/passwd' }, 'blocked_target'],
  ])('the request is not sent with %s', async (_, changes, code) => {
    const outcome = await run(
      { ...changes, retries: 3 },
      { vars: buildVars({ lines: 'a\r\nb: c' }) },
    );
    expect(outcome.failure).toMatchObject({ code, phase: 'prepare' });
    expect(outcome.status).toBe(code === 'secret_missing' ? 'unknown' : 'down');
    expect(outcome.attempts.length).toBeLessThanOrEqual(1);
    expect(target.received).toEqual([]);
  });
});

describe('the outcome', () => {
  it('the outcome of a passing check is complete', async () => {
    const outcome = await run({ assertions: [jsonPath('$.items[-1].id', 8)] });
    expect(outcome).toMatchObject({
      status: 'up',
      failure: null,
      response: {
        status: 200,
        httpVersion: '1.1',
        bytes: 52,
        remoteIp: '127.0.0.1',
        finalUrl: `${target.origin}/`,
        redirects: 0,
        bodyPreview: '{"ok":true,"items":[{"id":7},{"id":8}],"name":"a b"}',
        truncated: false,
      },
      tls: null,
      attempts: [{ status: 200, failure: null }],
    });
    const { dnsMs, tlsMs, connectMs, ttfbMs, downloadMs, totalMs } = outcome.timings ?? {};
    expect([dnsMs, tlsMs]).toEqual([null, null]);
    const sum = (connectMs ?? 0) + (ttfbMs ?? 0) + (downloadMs ?? 0);
    expect(sum).toBeLessThanOrEqual((totalMs ?? 0) + 0.05);
    expect(outcome.responseTimeMs).toBe(totalMs);
    expect(Date.parse(outcome.finishedAt)).toBeGreaterThanOrEqual(Date.parse(outcome.startedAt));
  });

  it('the outcome attributes the time to the right phases', async () => {
    target.respond = (_, response) => {
      const sendRest = () => setTimeout(() => response.end('b'), 200);
      setTimeout(() => response.writeHead(200).write('a', sendRest), 60);
    };
    const { timings } = await run();
    expect(timings?.ttfbMs).toBeGreaterThan(50);
    expect(timings?.downloadMs).toBeGreaterThan(70);
    expect(timings?.totalMs).toBeGreaterThan(250);
  });

  it('the outcome of a failing check shows at most 4 KiB of the body, without splitting a character', async () => {
    target.respond = (_, response) => response.writeHead(500).end('ä'.repeat(5_000));
    const { response, failure, status } = await run();
    expect({ status, code: failure?.code }).toEqual({ status: 'down', code: 'assertion_failed' });
    expect(response?.bodyPreview).toBe('ä'.repeat(2_048));
    expect(response).toMatchObject({ truncated: true, bytes: 10_000 });
  });

  it('the outcome lists every try, and has the status of the last try', async () => {
    let count = 0;
    target.respond = (_, response) => {
      count += 1;
      response.writeHead(count < 3 ? 503 : 200).end();
    };
    const outcome = await run({ retries: 5 });
    expect(outcome.status).toBe('up');
    expect(outcome.attempts.map(({ status, failure }) => [status, failure?.code ?? null])).toEqual([
      [503, 'assertion_failed'],
      [503, 'assertion_failed'],
      [200, null],
    ]);
  });

  it('the outcome of a slow response is degraded, and is not retried', async () => {
    const soft = { ...jsonPath('$.items[0].id', 1), severity: 'degraded' } as const;
    const softly = await run({ assertions: [soft], retries: 2 });
    expect(softly).toMatchObject({ status: 'degraded', failure: null });
    expect(softly.attempts).toHaveLength(1);
    expect(await run({ degradedAboveMs: 0 })).toMatchObject({ status: 'degraded', failure: null });
    expect(await run({ degradedAboveMs: 60_000 })).toMatchObject({ status: 'up' });
  });

  it('the outcome keeps all assertions of a failed check in their order', async () => {
    const { assertions } = await run({
      assertions: [jsonPath('$.items[0].id', 1), jsonPath('$.nope', 1), jsonPath('$.name', 'a b')],
    });
    expect(assertions.map(({ target: path, ok }) => [path, ok])).toEqual([
      [null, true],
      ['$.items[0].id', false],
      ['$.nope', false],
      ['$.name', true],
    ]);
  });

  it('the outcome is unknown, and the error is logged, if the check itself throws', async () => {
    const logged: string[] = [];
    const own = buildRunner({ logger: { error: (_, message) => logged.push(message) } });
    const outcome = await own.runStep(buildDefinition({}), 9, { slotMs: 0 });
    await own.close();
    expect(outcome).toMatchObject({ status: 'unknown', failure: { code: 'internal_error' } });
    expect(logged).toHaveLength(1);
  });
});

describe('extraction', () => {
  it('an extraction reads values from path, header, status and body, or uses defaults', async () => {
    target.respond = (_, response) =>
      response.writeHead(201, { 'X-Id': 'h1' }).end('{"a":{"b":[1]},"t":"k=v;"}');
    const outcome = await run({
      extract: [
        { variable: 'list', from: 'jsonPath', path: '$.a.b' },
        { variable: 'header', from: 'header', name: 'x-id' },
        { variable: 'status', from: 'status' },
        { variable: 'group', from: 'body', pattern: 'k=([a-z])' },
        { variable: 'whole', from: 'body', pattern: 'k=[a-z]' },
        { variable: 'fallback', from: 'header', name: 'x-gone', default: null },
      ],
    });
    expect(outcome.extracted).toEqual([
      { name: 'list', value: [1] },
      { name: 'header', value: 'h1' },
      { name: 'status', value: 201 },
      { name: 'group', value: 'v' },
      { name: 'whole', value: 'k=v' },
      { name: 'fallback', value: null },
    ]);
  });

  it.each([
    { variable: 'x', from: 'jsonPath', path: '$.nope' },
    { variable: 'x', from: 'header', name: 'x-gone' },
    { variable: 'x', from: 'body', pattern: 'zzz' },
  ] as const)('an extraction without a value fails the step: $from', async (extraction) => {
    const outcome = await run({ extract: [extraction] });
    expect(outcome).toMatchObject({
      status: 'down',
      failure: { code: 'extraction_failed', phase: 'assert' },
      extracted: [],
    });
  });
});

it('an extracted value of more than 32 KiB fails the step', async () => {
  target.respond = (_, response) => response.end(JSON.stringify({ a: 'x'.repeat(40_000) }));
  const outcome = await run({ extract: [{ variable: 'a', from: 'jsonPath', path: '$.a' }] });
  expect(outcome.failure).toMatchObject({ code: 'extraction_failed' });
  expect(outcome.failure?.message).toContain('32 KiB');
});

describe('a secret', () => {
  const secrets = [{ name: 'key', value: 'p/ss wörd"1' }];
  const headers = [{ name: 'X-Key', value: 'k {{secret:key}}' }];

  it('a secret is sent, and masked wherever the target returns it', async () => {
    target.respond = ({ headers: seen }, response) => {
      const key = String(seen['x-key']);
      const basic = Buffer.from(`user:${secrets[0]?.value}`).toString('base64');
      response.writeHead(500, { location: '/x' }).end(JSON.stringify({ key, basic }));
    };
    const outcome = await run(
      {
        headers,
        url: `${target.origin}/{{copy}}`,
        assertions: [{ ...jsonPath('$.key', 'p/ss wörd"1') }],
      },
      { secrets, vars: buildVars({ copy: 'p/ss wörd"1' }) },
    );
    expect(lastReceived().headers['x-key']).toBe('k p/ss wörd"1');
    expect(outcome.status).toBe('down');
    expect(JSON.stringify(outcome)).not.toMatch(/ss w|ss%20w|cC9zcyB3/);
    expect(outcome.response?.bodyPreview).toContain('***');
  });
});

describe('expected values', () => {
  it('expected values keep the types of variables', async () => {
    const created = { id: 7, tags: ['a'] };
    target.respond = (_, response) => response.end(JSON.stringify(created));
    const expecting = (value: string): Assertion => ({ ...jsonPath('$.tags', value) });
    const vars = buildVars({ id: 7, tags: ['a'], other: ['b'], limit: '100' });
    const assertions = [
      jsonPath('$.id', '{{id}}'),
      expecting('{{tags}}'),
      jsonPath('$.tags[0]', '{{own}}'),
      { type: 'bodySize', operator: 'lessThan', value: '{{limit}}', severity: 'fail' },
    ] as const;
    const outcome = await run({ assertions }, { vars });
    expect(outcome.assertions.map(({ ok }) => ok)).toEqual([true, true, true, false, true]);
    expect(outcome.assertions[3]).toMatchObject({ expected: 'mine', actual: 'a' });
  });

  it('expected values of a JSON schema are used unchanged, and the message names the path that differs', async () => {
    const items = { type: 'array', items: { properties: { id: { type: 'string' } } } };
    const assertions: Assertion[] = [
      { type: 'jsonSchema', operator: 'matches', value: { required: ['ok'] }, severity: 'fail' },
      {
        type: 'jsonSchema',
        operator: 'matches',
        value: { properties: { items } },
        severity: 'degraded',
      },
    ];
    const outcome = await run({ assertions });
    expect(outcome.status).toBe('degraded');
    expect(outcome.assertions.slice(1)).toMatchObject([
      { type: 'jsonSchema', ok: true, message: 'Expected body to match the schema: passed.' },
      {
        ok: false,
        actual: 7,
        message: 'Expected body to match the schema: $.items[0].id expected string, got number.',
      },
    ]);
  });

  it('expected values fail an ordering comparison if they are not numbers', async () => {
    const assertions: Assertion[] = [
      { type: 'bodySize', operator: 'lessThan', value: '{{own}}', severity: 'fail' },
    ];
    expect((await run({ assertions })).failure?.message).toContain('not_a_number');
    const sentBefore = target.received.length;
    const missing = await run({ assertions: [jsonPath('$.id', '{{orderId}}')] });
    expect(missing.missingVariable).toBe('orderId');
    expect(target.received).toHaveLength(sentBefore);
  });

  it('expected values that are secret are never shown', async () => {
    target.respond = (_, response) => response.end('{"token":"open-sesame-1"}');
    const vars = [{ name: 'token', value: 'open-sesame-1', secret: true as const }];
    const outcome = await run({ assertions: [jsonPath('$.token', '{{token}}')] }, { vars });
    expect(outcome.status).toBe('up');
    expect(JSON.stringify(outcome)).not.toContain('sesame');
  });

  it('expected values can refer to phases of the request and to redirects', async () => {
    target.respond = ({ url }, response) => {
      if (url === '/') response.writeHead(302, { location: '/end?x=1' });
      response.end();
    };
    const common = { severity: 'fail' } as const;
    const outcome = await run({
      assertions: [
        { type: 'redirect', name: 'count', operator: 'equals', value: 1, ...common },
        { type: 'redirect', name: 'finalUrl', operator: 'endsWith', value: '/end?x=1', ...common },
        { type: 'timing', name: 'ttfb', operator: 'lessThan', value: 60_000, ...common },
        { type: 'timing', name: 'tls', operator: 'notExists', ...common },
      ],
    });
    expect(outcome.failure).toBeNull();
  });
});
