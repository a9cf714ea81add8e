/**
 * Tests cookies of a step. They are passed from redirect to redirect and from step to step, by the rules of browsers,
 * and are never shown.
 */
import fc from 'fast-check';
import type { StepInputs } from '../../src/checks/step-runner';
import type { StepDefinition } from '../../src/contracts/definition';
import type { StepOutcome } from '../../src/contracts/outcome';
import { propertyOptions } from '../support/property-runs';
import type { Received, Respond } from '../support/recording-target';
import { withStepTarget } from './support/step-target';

/** The cookies that one step passes to the next step. They are plain text in these tests and encrypted in real runs. */
let jar: string | null;

const { target, run } = withStepTarget({
  inputs: { sealCookies: (text) => text },
  runner: {
    resolveHost: () => ({ addresses: Promise.resolve(['127.0.0.1']), cancel: () => undefined }),
  },
});
beforeEach(() => {
  jar = null;
});

/** Runs a step with the cookies of the previous step. */
async function step(
  path: string,
  changes: Partial<StepDefinition> = {},
  inputs: Partial<StepInputs> = {},
): Promise<StepOutcome> {
  const url = path.startsWith('http') ? path : `${target.origin}${path}`;
  const outcome = await run({ url, ...changes }, { cookies: jar, ...inputs });
  jar = outcome.cookies?.jar ?? jar;
  return outcome;
}

const at = (host: string, path = '/') => `http://${host}:${target.port}${path}`;
const sets =
  (lines: readonly string[]): Respond =>
  (_, response) => {
    response.setHeader('Set-Cookie', [...lines]);
    response.end();
  };
const sentCookies = (): readonly (string | undefined)[] =>
  target.received.map(({ headers }: Received) => headers.cookie);

test('cookies set in a step are sent by later steps and by redirects', async () => {
  target.respond = ({ url }, response) => {
    if (url !== '/login') return response.end('in');
    response.setHeader('Set-Cookie', ['sid=session-1; HttpOnly', 'theme=dark']);
    return response.writeHead(303, { location: '/home' }).end();
  };
  const login = await step('/login', { method: 'POST' });
  await step('/orders');
  expect(sentCookies()).toEqual([
    undefined,
    'sid=session-1; theme=dark',
    'sid=session-1; theme=dark',
  ]);
  expect(login.cookies?.set).toEqual([
    { name: 'sid', domain: '127.0.0.1', path: '/', expiresAt: null },
    { name: 'theme', domain: '127.0.0.1', path: '/', expiresAt: null },
  ]);
  expect(login.status).toBe('up');
});

test('`cookies: ignore` does not send or store cookies, and `cookies: clear` starts without cookies', async () => {
  target.respond = sets(['sid=first']);
  await step('/');
  await step('/', { cookies: 'ignore' });
  target.respond = sets(['sid=second']);
  await step('/', { cookies: 'ignore' });
  await step('/', { cookies: 'clear' });
  await step('/');
  expect(sentCookies()).toEqual([undefined, undefined, undefined, undefined, 'sid=second']);
});

test('`cookies: clear` leaves an empty cookie jar if the response sets no cookie', async () => {
  target.respond = sets(['sid=first']);
  await step('/');
  target.respond = (_, response) => response.end();
  await step('/', { cookies: 'clear' });
  await step('/');
  expect(sentCookies().at(-1)).toBeUndefined();
});

test('a Cookie header of the step comes first and replaces stored cookies of the same name', async () => {
  target.respond = sets(['sid=jar', 'theme=dark']);
  await step('/');
  await step('/', { headers: [{ name: 'Cookie', value: 'sid=mine; extra=1' }] });
  expect(sentCookies().at(-1)).toBe('sid=mine; extra=1; theme=dark');
});

test('broken cookies, and cookies for foreign domains or public suffixes, are refused and named in a note', async () => {
  target.respond = sets([
    'ok=1; Domain=example.com',
    'foreign=1; Domain=other.com',
    'suffix=1; Domain=com',
    'safe=1; Secure',
    '__Host-x=1; Path=/',
    '=',
  ]);
  const { cookies } = await step(at('shop.example.com'));
  expect(cookies?.set.map(({ name }) => name)).toEqual(['ok']);
  expect(cookies?.notes).toEqual([
    'The cookie “foreign” was refused: its domain is not that of the response.',
    'The cookie “suffix” was refused: its domain is a public suffix.',
    'The cookie “safe” was refused: it is Secure and came over http.',
    'The cookie “__Host-x” was refused: it does not meet the rules of its prefix.',
    'A cookie was refused: its line is malformed.',
  ]);
  await step(at('api.example.com'));
  await step(at('other.com'));
  expect(sentCookies()).toEqual([undefined, 'ok=1', undefined]);
});

test('a cookie is sent only below its path, and an expired cookie is deleted', async () => {
  target.respond = sets([
    'admin=1; Path=/admin',
    'old=1; Max-Age=0',
    'gone=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    'kept=1; Max-Age=60',
  ]);
  const sentAtMs = Date.now();
  const { cookies } = await step('/');
  const readAtMs = Date.now();
  expect(cookies?.set.map(({ name }) => name)).toEqual(['admin', 'kept']);
  const expiresAtMs = Date.parse(cookies?.set[1]?.expiresAt ?? '');
  expect(expiresAtMs).toBeGreaterThanOrEqual(sentAtMs + 60_000);
  expect(expiresAtMs).toBeLessThanOrEqual(readAtMs + 60_000);
  await step('/');
  await step('/admin/x');
  expect(sentCookies()).toEqual([undefined, 'kept=1', 'admin=1; kept=1']);
});

test('a redirect back from another site sends SameSite=Lax cookies but no SameSite=Strict cookies', async () => {
  target.respond = ({ url, headers }, response) => {
    if (url === '/set')
      return sets(['lax=1; SameSite=Lax', 'strict=1; SameSite=Strict'])(
        { url, headers, method: 'GET', body: '' },
        response,
      );
    if (url === '/start') return response.writeHead(302, { location: at('login.test') }).end();
    if (headers.host?.startsWith('login') === true)
      return response.writeHead(302, { location: at('shop.example.com', '/back') }).end();
    return response.end();
  };
  await step(at('shop.example.com', '/set'));
  await step(at('shop.example.com', '/start'));
  expect(sentCookies()).toEqual([undefined, 'lax=1; strict=1', undefined, 'lax=1']);
});

test('a run that gets 60 cookies keeps the newest 50, and a note names each dropped cookie', async () => {
  target.respond = sets(Array.from({ length: 60 }, (_, index) => `c${index}=1`));
  const { cookies } = await step('/');
  await step('/');
  const names = (sentCookies().at(-1) ?? '').split('; ').map((pair) => pair.split('=')[0]);
  expect(names).toEqual(Array.from({ length: 50 }, (_, index) => `c${index + 10}`));
  expect(cookies?.notes).toHaveLength(10);
  expect(cookies?.notes[0]).toBe(
    'The cookie “c0” was dropped: a run keeps at most 50 cookies and 16 KiB of them, the newest.',
  );
});

test('all cookies of a run together are limited to 16 KiB', async () => {
  for (const name of ['a', 'b', 'c']) {
    target.respond = sets([`${name}=${'x'.repeat(7_000)}`]);
    await step('/');
  }
  expect(jar?.length).toBeLessThan(17_000);
  target.respond = (_, response) => response.end();
  await step('/');
  expect(sentCookies().at(-1)).toMatch(/^b=x+; c=x+$/);
});

test('cookie values appear in no outcome, whether decoded, in a failure or in a later step', async () => {
  const value = encodeURIComponent('s:kangaroo/42+1');
  target.respond = sets([`sid=${value}; Path=/`]);
  const first = await step('/');
  target.respond = (_, response) => {
    response.statusCode = 500;
    response.setHeader('X-Seen', value);
    response.end('you are s:kangaroo/42+1');
  };
  const second = await step('/', {
    assertions: [{ type: 'body', operator: 'equals', value: 'x', severity: 'fail' }],
  });
  for (const { cookies, ...shown } of [first, second])
    expect(JSON.stringify({ ...shown, cookies: { ...cookies, jar: '' } })).not.toContain(
      'kangaroo',
    );
  expect(second.response?.bodyPreview).toBe('you are ***');
});

test('each try of a step starts with the same cookies as the first try', async () => {
  target.respond = sets(['sid=start']);
  await step('/');
  target.respond = (_, response) => {
    response.statusCode = 503;
    response.setHeader('Set-Cookie', 'sid=of-a-failed-try');
    response.end();
  };
  await step('/', { retries: 1 });
  expect(sentCookies()).toEqual([undefined, 'sid=start', 'sid=start']);
});

test('a monitor keeps cookies during its redirects, and reports no cookies', async () => {
  target.respond = ({ url }, response) => {
    if (url === '/end') return response.end();
    return response.writeHead(302, { location: '/end', 'set-cookie': 'a=1' }).end();
  };
  const outcome = await step('/', {}, { sealCookies: undefined });
  expect(sentCookies()).toEqual([undefined, 'a=1']);
  expect(outcome.cookies).toBeUndefined();
});

test('an extraction reads a cookie, a part of a header, or the final URL', async () => {
  target.respond = ({ url }, response) => {
    if (url === '/') return response.writeHead(302, { location: '/done?code=abc-1&x=2' }).end();
    response.setHeader('Set-Cookie', 'csrf=tok-12345678');
    response.setHeader('X-Id', 'order 77');
    return response.end();
  };
  const seal = (_name: string, value: unknown) => `sealed ${String(value)}`;
  const { extracted, status } = await step(
    '/',
    {
      extract: [
        { variable: 'csrf', from: 'cookie', name: 'csrf' },
        { variable: 'id', from: 'header', name: 'X-Id', pattern: 'order (\\d+)' },
        { variable: 'code', from: 'finalUrl', pattern: 'code=([^&]+)' },
        { variable: 'url', from: 'finalUrl' },
        { variable: 'none', from: 'cookie', name: 'absent', default: 'without' },
      ],
    },
    { sealExtracted: seal },
  );
  expect(status).toBe('up');
  expect(extracted).toEqual([
    { name: 'csrf', value: 'sealed tok-12345678', secret: true },
    { name: 'id', value: '77' },
    { name: 'code', value: 'abc-1' },
    { name: 'url', value: `${target.origin}/done?code=abc-1&x=2` },
    { name: 'none', value: 'sealed without', secret: true },
  ]);
});

test('an extraction whose cookie, header or part is missing fails the step', async () => {
  target.respond = (_, response) => response.end();
  for (const source of [
    { from: 'cookie', name: 'sid' },
    { from: 'header', name: 'x-id', pattern: 'a' },
    { from: 'finalUrl', pattern: 'code=' },
  ] as const) {
    const { failure } = await step('/', { extract: [{ variable: 'v', ...source }] });
    expect(failure?.code).toBe('extraction_failed');
  }
});

test('the cookie jar stays within its limits, for any cookies from a target', async () => {
  const lines = fc.array(
    fc.oneof(
      fc.string({ maxLength: 60 }),
      fc
        .tuple(fc.string({ maxLength: 8 }), fc.string({ maxLength: 30 }))
        .map((pair) => pair.join('=')),
      fc
        .constantFrom('; Domain=', '; Path=', '; Max-Age=', '; Expires=', '; SameSite=')
        .chain((attribute) => fc.string({ maxLength: 12 }).map((text) => `a=b${attribute}${text}`)),
    ),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(lines, async (given) => {
      const plain = given.map((line) => line.replaceAll(/[^\x20-\x7e]/g, '.'));
      target.respond = sets(plain);
      const { status, cookies } = await step('/');
      expect(status).toBe('up');
      expect(cookies?.set.length ?? 0).toBeLessThanOrEqual(50);
    }),
    propertyOptions(30),
  );
});
