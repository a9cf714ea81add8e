import { validate } from '../../src/schemas/issues';
import { monitorBody } from '../../src/schemas/monitor';

const MINIMAL = { name: 'Shop', url: 'https://shop.example.com/health' };

/** Returns a URL of this length. */
function runbookOf(length: number): string {
  return 'https://wiki.example/'.padEnd(length, 'x');
}

function problemsOf(body: unknown): Record<string, string> {
  const checked = validate(monitorBody, body);
  if (checked.ok) return {};
  return Object.fromEntries(checked.problems.map(({ path, code }) => [path, code]));
}

describe('a monitor body', () => {
  it('a monitor body needs only a name and a URL, and gets every default', () => {
    expect(validate(monitorBody, MINIMAL)).toEqual({
      ok: true,
      value: {
        ...MINIMAL,
        type: 'http',
        method: 'GET',
        interval: 60,
        regions: null,
        headers: [],
        auth: null,
        proxy: null,
        ipFamily: null,
        httpVersion: null,
        body: null,
        form: null,
        multipart: null,
        graphql: null,
        alerts: {
          channels: ['default'],
          emails: [],
          onFailure: true,
          onRecovery: true,
          onDegraded: false,
          remindEveryMinutes: null,
          policy: null,
        },
        assertions: [],
        group: null,
        variables: [],
        timeoutMs: 10000,
        retries: 1,
        followRedirects: true,
        maxRedirects: 10,
        dependsOn: [],
        hours: null,
        outside: 'quiet',
        runbookUrl: null,
        note: null,
        sendTraceparent: false,
        degradedAboveMs: null,
        tls: { warnDays: [14, 3] },
        quorum: 1,
        failuresBeforeDown: 1,
        successesBeforeUp: 1,
        tags: [],
        key: null,
        enabled: true,
        environment: null,
      },
    });
  });

  it('a monitor body accepts a runbook and a note up to their limits', () => {
    const note = 'é\n'.repeat(1_000).trim();
    for (const type of [
      {},
      { type: 'heartbeat', url: undefined, schedule: { everySeconds: 60 } },
    ]) {
      const given = { ...MINIMAL, ...type, runbookUrl: runbookOf(2_048), note };
      expect(validate(monitorBody, given)).toMatchObject({
        ok: true,
        value: { runbookUrl: runbookOf(2_048), note },
      });
      const empty = { ...given, runbookUrl: ' ', note: '' };
      expect(validate(monitorBody, empty)).toMatchObject({
        ok: true,
        value: { runbookUrl: null, note: null },
      });
    }
  });

  it.each([
    [{ name: 'two\nlines' }, 'name'],
    [{ name: 'nul\0' }, 'name'],
    [{ name: 'half \ud83d' }, 'name'],
    [{ name: 'sep\u2028arator' }, 'name'],
    [{ tags: ['a', 'b\tc'] }, 'tags[1]'],
    [{ group: '/' }, 'group'],
    [{ group: ' / / ' }, 'group'],
    [{ group: 'a\nb' }, 'group'],
    [{ method: 'POST', body: { deep: ['half \udc00'] } }, 'body.deep[0]'],
    [{ method: 'POST', body: { 'half \udc00': 1 } }, 'body.half \udc00'],
    [{ variables: { a: '\ud800' } }, 'variables.a'],
  ])('a monitor body refuses %j', (change, path) => {
    expect(problemsOf({ ...MINIMAL, ...change })).toEqual({ [path]: 'invalid_value' });
  });

  it('a monitor body accepts characters of every Unicode plane', () => {
    const body = { deep: ['\ud83d\ude00'], text: 'a\nb\0' };
    expect(problemsOf({ ...MINIMAL, name: 'Büro 😀', method: 'POST', body })).toEqual({});
  });

  it('a monitor body counts its shorthands towards the limit of assertions', () => {
    const assertion = { type: 'body', operator: 'contains', value: 'x' };
    const assertions = Array.from({ length: 19 }, () => assertion);
    const both = { expectedStatus: 200, expectedText: 'x' };
    expect(problemsOf({ ...MINIMAL, assertions, expectedStatus: 200 })).toEqual({});
    expect(problemsOf({ ...MINIMAL, assertions, ...both })).toEqual({
      expectedText: 'out_of_bounds',
    });
  });

  it('a monitor body reports all its problems at once, each with the path of its field', () => {
    expect(
      problemsOf({
        url: 'ftp://shop.example.com',
        interval: 5,
        colour: 'red',
        headers: { 'Content-Length': '1', 'x y': 'z' },
        assertions: [{ type: 'status', operator: 'equals', value: 99 }, { type: 'status' }],
      }),
    ).toEqual({
      name: 'required',
      url: 'invalid_value',
      interval: 'out_of_bounds',
      colour: 'unknown_field',
      'headers.Content-Length': 'invalid_value',
      'headers.x y': 'invalid_value',
      'assertions[0].value': 'invalid_value',
      'assertions[1].operator': expect.any(String),
    });
  });

  it.each([
    ['a user in the URL', { url: 'https://me:pw@shop.example.com' }, 'url'],
    ['a script URL', { url: 'javascript:alert(1)' }, 'url'],
    ['a line break in a header', { headers: { a: 'b\r\nc: d' } }, 'headers.a'],
    ['a header value outside Latin-1', { headers: { a: '5 €' } }, 'headers.a'],
    ['a control character in a header', { headers: { a: '\u0001' } }, 'headers.a'],
    ['a URL without a host', { url: 'http:///x' }, 'url'],
    ['one header twice', { headers: { 'X-A': '1', 'x-a': '2' } }, 'headers.x-a'],
    ['a body with GET', { method: 'GET', body: { a: 1 } }, 'body'],
    ['a timeout above the interval', { interval: 10, timeoutMs: 20000 }, 'timeoutMs'],
    ['a quorum above the number of regions', { regions: ['eu-west'], quorum: 2 }, 'quorum'],
    ['an unknown variable in the URL', { url: 'https://a.example/{{nope}}' }, 'url'],
    ['an unknown variable in a header', { headers: { a: '{{nope}}' } }, 'headers.a'],
    [
      'an unknown variable deep in the body',
      { method: 'POST', body: { a: [{ b: 'x {{nope}}' }] } },
      'body.a[0].b',
    ],
    ['a secret in the URL', { url: 'https://a.example/{{secret:key}}' }, 'url'],
    [
      'more than 20 dependencies',
      { dependsOn: Array.from({ length: 21 }, () => 'a') },
      'dependsOn',
    ],
    ['a dependency that is neither a key nor an id', { dependsOn: ['The shop'] }, 'dependsOn[0]'],
    ['a runbook that is no URL', { runbookUrl: 'wiki/shop' }, 'runbookUrl'],
    ['a runbook that is a script', { runbookUrl: 'javascript:alert(1)' }, 'runbookUrl'],
    ['a runbook with a password', { runbookUrl: 'https://a:b@wiki.example/' }, 'runbookUrl'],
    ['a runbook with a line break', { runbookUrl: 'https://wiki.example/\nx' }, 'runbookUrl'],
    ['a runbook of 2,049 characters', { runbookUrl: runbookOf(2_049) }, 'runbookUrl'],
    ['a note of 2,001 characters', { note: 'x'.repeat(2_001) }, 'note'],
    ['a fractional interval', { interval: 10.5 }, 'interval'],
    ['a text as interval', { interval: '60' }, 'interval'],
    [
      'a hostile pattern',
      { assertions: [{ type: 'body', operator: 'matches', value: '(' }] },
      'assertions[0].value',
    ],
    [
      'a look-around pattern',
      { assertions: [{ type: 'body', operator: 'matches', value: '(?=a)b' }] },
      'assertions[0].value',
    ],
    [
      'a path without $',
      { assertions: [{ type: 'jsonPath', path: 'a.b', operator: 'exists' }] },
      'assertions[0].path',
    ],
    [
      'a value with `exists`',
      { assertions: [{ type: 'jsonPath', path: '$.a', operator: 'exists', value: 1 }] },
      'assertions[0].value',
    ],
    [
      'a look-around pattern in a schema',
      { assertions: [{ type: 'jsonSchema', value: { pattern: '(?=a)b' } }] },
      'assertions[0].value.pattern',
    ],
    ['no schema', { assertions: [{ type: 'jsonSchema' }] }, 'assertions[0].value'],
    [
      'a schema with `equals`',
      { assertions: [{ type: 'jsonSchema', operator: 'equals', value: true }] },
      'assertions[0].operator',
    ],
    [
      'a text with `lessThan`',
      { assertions: [{ type: 'responseTime', operator: 'lessThan', value: 'fast' }] },
      'assertions[0].value',
    ],
    [
      'a text instead of a list',
      { assertions: [{ type: 'status', operator: 'in', value: 200 }] },
      'assertions[0].value',
    ],
  ])('a monitor body refuses %s', (_what, part, path) => {
    expect(Object.keys(problemsOf({ ...MINIMAL, ...part }))).toEqual([path]);
  });

  it.each([[600], [999], ['6xx'], ['9xx']])(
    'a monitor body accepts the expected status %s, which some servers send',
    (value) => {
      const assertions = [{ type: 'status', operator: 'in', value: [value] }];
      expect(problemsOf({ ...MINIMAL, assertions, expectedStatus: value })).toEqual({});
    },
  );

  it.each([99, 1_000, '0xx', '10xx'])('a monitor body refuses the expected status %s', (value) => {
    const assertions = [{ type: 'status', operator: 'equals', value }];
    expect(Object.keys(problemsOf({ ...MINIMAL, assertions, expectedStatus: value }))).toEqual(
      ['expectedStatus', 'assertions[0].value'].toSorted(),
    );
  });

  it.each([
    [{ body: { id: 2 ** 53 } }, { body: 'invalid_value' }],
    [{ body: [[-(2 ** 60)]] }, { body: 'invalid_value' }],
    [{ graphql: { query: '{ a }', variables: { id: 2 ** 63 } } }, { graphql: 'invalid_value' }],
    [{ body: { id: 2 ** 53 - 1, share: 0.1, far: 1e300 } }, {}],
    [{ body: '{"id": 1003200000000001759}' }, {}],
  ])(
    'a monitor body is refused only if its integers may have been rounded before the request: %j',
    (part, problems) => {
      expect(problemsOf({ ...MINIMAL, ...part })).toEqual(problems);
    },
  );

  it('a monitor body treats a quoted value in double braces as literal text', () => {
    const body = {
      ...MINIMAL,
      url: "https://a.example/{{'x'}}",
      body: { text: "Hello {{' name '}}" },
      assertions: [{ type: 'body', operator: 'contains', value: "{{'no good'}}" }],
    };
    expect(problemsOf(body)).toEqual({});
    const assertions = [{ type: 'responseTime', operator: 'lessThan', value: "{{'x'}}" }];
    expect(Object.keys(problemsOf({ ...MINIMAL, assertions }))).toEqual(['assertions[0].value']);
  });

  it('a monitor body reports an unknown variable with the code unknown_variable', () => {
    expect(problemsOf({ ...MINIMAL, url: 'https://a.example/{{nope}}' })).toEqual({
      url: 'unknown_variable',
    });
  });

  it("a monitor body accepts the monitor's own variables and built-in variables", () => {
    const body = {
      ...MINIMAL,
      url: '{{base}}/x?id={{$uuid}}',
      headers: { 'x-run': '{{$runId}} {{ base }}' },
      variables: { base: 'https://a.example' },
    };
    expect(problemsOf(body)).toEqual({});
  });

  it('a monitor body turns the shorthands into assertions', () => {
    const checked = validate(monitorBody, {
      ...MINIMAL,
      expectedStatus: '2xx',
      expectedText: 'ok',
    });
    expect(checked.ok && checked.value).toHaveProperty('assertions', [
      { type: 'status', operator: 'equals', value: '2xx', severity: 'fail' },
      { type: 'body', operator: 'contains', value: 'ok', severity: 'fail' },
    ]);
  });

  it('a monitor body accepts a method in any case', () => {
    const checked = validate(monitorBody, { ...MINIMAL, method: 'head' });
    expect(checked.ok && checked.value).toHaveProperty('method', 'HEAD');
  });

  it('a monitor body with __proto__ at any depth is refused, and the field is not dropped', () => {
    const body = JSON.parse(
      '{"name":"n","url":"https://a.example","method":"POST","body":{"a":[{"__proto__":1}]},"headers":{"__proto__":"x"}}',
    );
    expect(problemsOf(body)).toEqual({
      'body.a[0].__proto__': 'invalid_value',
      'headers.__proto__': 'invalid_value',
    });
  });

  it.each([null, 1, 'x', [], true])('a monitor body cannot be %p', (body) => {
    expect(validate(monitorBody, body).ok).toBe(false);
  });
});

describe('the days of certificate warnings', () => {
  const withDays = (warnDays: unknown) => validate(monitorBody, { ...MINIMAL, tls: { warnDays } });

  it('the days of certificate warnings are sorted with the largest first', () => {
    expect(withDays([1, 365, 14])).toMatchObject({
      ok: true,
      value: { tls: { warnDays: [365, 14, 1] } },
    });
    expect(withDays([])).toMatchObject({ ok: true, value: { tls: { warnDays: [] } } });
  });

  it.each([
    ['zero', [0], 'tls.warnDays[0]'],
    ['more than a year', [366], 'tls.warnDays[0]'],
    ['half a day', [1.5], 'tls.warnDays[0]'],
    ['the same day twice', [3, 3], 'tls.warnDays'],
    ['more than ten days', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 'tls.warnDays'],
    ['anything but a list', 14, 'tls.warnDays'],
  ])(
    'in the days of certificate warnings, %s is refused with its path',
    (_what, warnDays, path) => {
      expect(withDays(warnDays)).toMatchObject({ ok: false, problems: [{ path }] });
    },
  );
});
