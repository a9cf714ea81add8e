/**
 * Tests domain checks against an RDAP server of our own: what is up, down and unknown, and how often a registry gets a
 * request.
 *
 * Covers:
 * - kinds/domain/run
 * - kinds/domain/ask
 */
import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createStepTools } from '../../../src/checks/step-runner';
import type { NetworkStep } from '../../../src/contracts/kinds';
import { createDomainRegistry } from '../../../src/kinds/domain/ask';
import { buildKindRunner, COMMON_STEP, kindDefinition } from '../support/kind-runner';

const DAY_MS = 86_400_000;
const SOON = new Date(Date.now() + 10.5 * DAY_MS).toISOString();

function domainOf(changes: object = {}) {
  return {
    objectClassName: 'domain',
    ldhName: 'example.test',
    status: ['client transfer prohibited'],
    events: [
      { eventAction: 'registration', eventDate: '2001-01-01T00:00:00Z' },
      { eventAction: 'expiration', eventDate: SOON },
    ],
    entities: [
      { roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', 'Names and Sons']]] },
    ],
    ...changes,
  };
}

interface Registry {
  readonly url: string;
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

/** Starts a registry that lists itself as the server for .test. All other requests are passed to `respond`. */
async function startRegistry(respond: RequestListener): Promise<Registry> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url !== '/dns.json') return respond(request, response);
    const base = `http://${request.headers.host}/rdap/`;
    response.end(JSON.stringify({ version: '1.0', services: [[['test'], [base]]] }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return {
    url: `http://127.0.0.1:${address.port}/dns.json`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const say =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/rdap+json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

function domainStep(host: string, timeoutMs = 30_000): NetworkStep {
  const url = `domain://${host}`;
  return { ...COMMON_STEP, url, timeoutMs, type: 'domain', settings: { host, warnDays: [30] } };
}

/** Runs checks of these hosts on one probe, one after the other. */
async function meet(
  respond: RequestListener,
  { hosts = ['example.test'], timeoutMs = 30_000, allowed = ['127.0.0.0/8'] } = {},
) {
  const registry = await startRegistry(respond);
  const rdapBootstrapUrl = registry.url;
  const runner = buildKindRunner({ rdapBootstrapUrl, allowedPrivateTargets: allowed });
  const outcomes = [];
  for (const host of hosts)
    outcomes.push(
      await runner.runStep(kindDefinition(domainStep(host, timeoutMs)), 0, { slotMs: 0 }),
    );
  await runner.close();
  await registry.close();
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('nothing was checked');
  return { outcome, outcomes, asked: registry.asked };
}

test('a domain check of a registered domain is up, and reports the expiry', async () => {
  const { outcome, asked } = await meet(say(domainOf()));
  expect(outcome).toMatchObject({
    status: 'up',
    failure: null,
    request: { method: 'DOMAIN', url: 'domain://example.test' },
    tls: null,
    registration: {
      domain: 'example.test',
      registrar: 'Names and Sons',
      expiresAt: SOON,
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    assertions: [
      { target: 'registered', ok: true },
      { target: 'daysUntilExpiry', ok: true, actual: 10 },
      { target: 'status', ok: true },
    ],
  });
  expect(outcome.response?.bodyPreview).toContain(`expires    ${SOON}\nregistrar  Names and Sons`);
  expect(asked).toEqual(['/dns.json', '/rdap/domain/example.test']);
});

test('domain checks ask a registry about a domain only once, even if the domain is checked often', async () => {
  const hosts = ['example.test', 'example.test', 'other.test', 'example.test'];
  const { outcomes, asked } = await meet(say(domainOf()), { hosts });
  expect(outcomes.map(({ status }) => status)).toEqual(['up', 'up', 'up', 'up']);
  expect(asked).toEqual(['/dns.json', '/rdap/domain/example.test', '/rdap/domain/other.test']);
});

test('domain checks ask a registry again after a day, or at once if the registry did not respond', async () => {
  let body: unknown = 'not yet';
  const registry = await startRegistry((request, response) => say(body)(request, response));
  const tools = createStepTools({ allowedPrivateTargets: ['127.0.0.0/8'] });
  let nowMs = 0;
  const { ask } = createDomainRegistry({
    connection: tools.connection,
    userAgent: 'Keepwatch',
    rdapBootstrapUrl: registry.url,
    now: () => nowMs,
  });
  const kindAfter = async (laterMs: number) => {
    nowMs += laterMs;
    return (await ask('example.test', 30_000)).kind;
  };
  expect(await kindAfter(0)).toBe('unknown');
  body = domainOf();
  expect(await kindAfter(0)).toBe('registered');
  body = 'away';
  expect(await kindAfter(DAY_MS - 1)).toBe('registered');
  expect(await kindAfter(1)).toBe('unknown');
  await tools.pool.close();
  await registry.close();
  expect(registry.asked).toEqual([
    '/dns.json',
    '/rdap/domain/example.test',
    '/rdap/domain/example.test',
    '/dns.json',
    '/rdap/domain/example.test',
  ]);
});

test.each([
  ['that nobody has registered', say({ errorCode: 404 }, 404), 'does not know example.test'],
  [
    'whose registration has expired',
    say(domainOf({ events: [{ eventAction: 'expiration', eventDate: '2020-01-01T00:00:00Z' }] })),
    'The registration has ended',
  ],
  [
    'that its registry is about to delete',
    say(domainOf({ status: ['active', 'Pending Delete'] })),
    'pending delete',
  ],
])('a domain %s is down', async (_name, respond, words) => {
  const { outcome } = await meet(respond);
  expect(outcome).toMatchObject({
    status: 'down',
    failure: { code: 'assertion_failed', message: expect.stringContaining(words) },
  });
});

const redirectAway: RequestListener = (_request, response) => {
  response.writeHead(302, { location: 'http://169.254.169.254/' });
  response.end();
};
const redirectRound: RequestListener = ({ url = '' }, response) => {
  response.writeHead(302, { location: `${url}x` });
  response.end();
};

test.each<readonly [string, RequestListener, string]>([
  ['asks to wait', say('', 429), 'the status 429'],
  ['is broken', say('', 500), 'the status 500'],
  ['sends no RDAP', say('<html>'), 'did not return a domain'],
  ['returns another type of object', say({ objectClassName: 'entity' }), 'did not return a domain'],
  ['gives no expiry', say(domainOf({ events: [] })), 'does not report when'],
  ['closes the connection', (request) => request.socket.destroy(), 'is not available'],
  ['redirects to a forbidden target', redirectAway, 'is not available'],
  ['redirects endlessly', redirectRound, 'is not available'],
])('if the registry %s, the domain check is unknown', async (_name, respond, words) => {
  const { outcome } = await meet(respond);
  expect(outcome).toMatchObject({
    status: 'unknown',
    failure: { code: 'registry_unavailable', message: expect.stringContaining(words) },
  });
  expect(outcome.attempts).toHaveLength(1);
});

/** Returns a listener that responds only after it is released. */
function createHeld(respond: RequestListener) {
  const events = new EventEmitter();
  const released = once(events, 'release');
  const asked = once(events, 'ask');
  const held: RequestListener = (request, response) => {
    events.emit('ask');
    void released.then(() => respond(request, response));
  };
  return { held, asked, release: () => events.emit('release') };
}

function registryAt(rdapBootstrapUrl: string) {
  const { connection, pool } = createStepTools({ allowedPrivateTargets: ['127.0.0.0/8'] });
  const { ask } = createDomainRegistry({ connection, userAgent: 'Keepwatch', rdapBootstrapUrl });
  return { ask, close: () => pool.close() };
}

test('a domain check with little time left does not wait for the request of another check', async () => {
  const { held, asked, release } = createHeld(say(domainOf()));
  const server = await startRegistry(held);
  const { ask, close } = registryAt(server.url);
  const first = ask('example.test', 30_000);
  await asked;
  expect(await ask('example.test', 1)).toMatchObject({ kind: 'unknown' });
  release();
  expect(await first).toMatchObject({ kind: 'registered' });
  await close();
  await server.close();
});

test('a domain check that runs out of time leaves its download of the server list for later checks', async () => {
  let base = '';
  const list = createHeld((_request, response) =>
    response.end(JSON.stringify({ services: [[['test'], [base]]] })),
  );
  const server = await startRegistry((request, response) => {
    if (request.url === '/slow.json') list.held(request, response);
    else say(domainOf())(request, response);
  });
  base = server.url.replace('dns.json', 'rdap/');
  const { ask, close } = registryAt(server.url.replace('dns.json', 'slow.json'));
  expect(await ask('example.test', 1)).toMatchObject({ kind: 'unknown' });
  list.release();
  expect(await ask('example.test', 30_000)).toMatchObject({ kind: 'registered' });
  await close();
  await server.close();
});

test('a registry that never responds makes the check unknown, not down', async () => {
  const { outcome } = await meet(() => undefined, { timeoutMs: 5_000 });
  expect(outcome).toMatchObject({ status: 'unknown', failure: { code: 'registry_unavailable' } });
});

test('a domain whose suffix has no RDAP server is unknown', async () => {
  const { outcome } = await meet(say(domainOf()), { hosts: ['example.invalid'] });
  expect(outcome).toMatchObject({
    status: 'unknown',
    failure: { message: expect.stringContaining('No RDAP server is known for .invalid') },
  });
});

test('a domain check asks no registry that the target guard refuses', async () => {
  const { outcome, asked } = await meet(say(domainOf()), { allowed: [] });
  expect(outcome.status).toBe('unknown');
  expect(asked).toEqual([]);
});
