/**
 * Tests requests through the operator's proxy: what the proxy sees, and whether the proxy or the target causes a
 * failure.
 */
import { createServer } from 'node:https';
import type { ProxyServer } from '../../src/contracts/definitions/proxy';
import { listenOnLoopback, startLoopbackServer } from '../support/loopback-server';
import { makeCertificate } from '../support/make-certificate';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { buildDefinition, buildRunner } from '../support/step-builder';
import { startHttpProxy, startSocksProxy, type TestProxy } from './support/proxies';

const CREDENTIALS = { user: 'ada', password: 'pass:wörd of the proxy' };
const own = makeCertificate(Date.now() + 90 * 86_400_000);

let target: RecordingTarget;
beforeAll(async () => {
  target = await startRecordingTarget((_, response) => response.end('hello'));
});
afterAll(() => target.close());
beforeEach(() => {
  target.received.length = 0;
});

interface Through {
  readonly protocol?: ProxyServer['protocol'];
  readonly credentials?: ProxyServer['credentials'];
  readonly url?: string;
  readonly timeoutMs?: number;
  readonly extraAuthorities?: readonly string[];
  readonly tls?: { readonly trust: 'unchecked' };
}

async function ask({ port }: { readonly port: number }, through: Through = {}) {
  const { protocol = 'http', credentials = null, url = `${target.origin}/`, tls } = through;
  const { timeoutMs = 30_000, extraAuthorities = [] } = through;
  const host = protocol === 'https' ? 'localhost' : '127.0.0.1';
  const proxies = [{ name: 'corp', protocol, host, port, credentials }];
  const runner = buildRunner({ proxies, extraAuthorities });
  const definition = buildDefinition({ url, proxy: 'corp', timeoutMs, tls });
  const outcome = await runner.runStep(definition, 0, { slotMs: 0 });
  await runner.close();
  return outcome;
}

const tunnels: readonly [ProxyServer['protocol'], () => Promise<TestProxy>][] = [
  ['http', () => startHttpProxy()],
  ['https', () => startHttpProxy({ identity: own })],
  ['socks5', () => startSocksProxy()],
];

describe.each(tunnels)('a proxy that uses %s', (protocol, start) => {
  let proxy: TestProxy;
  beforeAll(async () => {
    proxy = await start();
  });
  afterAll(() => proxy.close());
  const extraAuthorities = [own.cert];

  test('a proxy gets the IP address of the target, and carries the request', async () => {
    const outcome = await ask(proxy, { protocol, extraAuthorities });
    expect(outcome).toMatchObject({
      status: 'up',
      response: { status: 200, remoteIp: '127.0.0.1', bodyPreview: 'hello' },
    });
    expect(proxy.asked.at(-1)).toBe(`127.0.0.1:${target.port}`);
    expect(target.received).toHaveLength(1);
    expect(target.received[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  test('a proxy sees only encrypted bytes of a request over TLS', async () => {
    const server = createServer(own, (_, response) => response.end('sealed'));
    const { port, close } = await listenOnLoopback(server);
    const url = `https://localhost:${port}/`;
    const outcome = await ask(proxy, { protocol, extraAuthorities, url });
    expect(outcome).toMatchObject({
      status: 'up',
      response: { bodyPreview: 'sealed' },
      tls: { trusted: true },
    });
    expect(proxy.asked.at(-1)).toBe(`127.0.0.1:${port}`);
    await close();
  });

  test('a forbidden target is refused before the proxy gets a request', async () => {
    const before = proxy.asked.length;
    const outcome = await ask(proxy, { protocol, extraAuthorities, url: 'http://10.0.0.1/' });
    expect(outcome.failure).toMatchObject({ code: 'blocked_target' });
    expect(proxy.asked).toHaveLength(before);
  });
});

test('the credentials of a proxy are sent to the proxy and appear in no outcome', async () => {
  const http = await startHttpProxy();
  const socks = await startSocksProxy({ credentials: CREDENTIALS });
  const byHttp = await ask(http, { credentials: CREDENTIALS });
  const bySocks = await ask(socks, { protocol: 'socks5', credentials: CREDENTIALS });
  expect([byHttp.status, bySocks.status]).toEqual(['up', 'up']);
  const plain = `${CREDENTIALS.user}:${CREDENTIALS.password}`;
  expect(http.signedIn).toEqual([`Basic ${Buffer.from(plain).toString('base64')}`]);
  expect(socks.signedIn).toEqual([plain]);
  const wrong = { ...CREDENTIALS, password: 'another word' };
  const refused = await ask(socks, { protocol: 'socks5', credentials: wrong });
  expect(refused).toMatchObject({
    status: 'unknown',
    failure: {
      code: 'proxy_failed',
      message: 'The proxy “corp” refuses its user and password.',
    },
  });
  const without = await ask(socks, { protocol: 'socks5' });
  expect(without).toMatchObject({ status: 'unknown', failure: { code: 'proxy_failed' } });
  expect(JSON.stringify([byHttp, bySocks, refused])).not.toMatch(/wörd|another word/);
  await Promise.all([http.close(), socks.close()]);
});

test.each([
  [407, 'unknown', 'The proxy “corp” asks for a password (407).'],
  [403, 'unknown', 'The proxy “corp” refuses to connect to the target (403).'],
  [502, 'down', 'The proxy “corp” does not reach the target (502).'],
  [504, 'down', 'The proxy “corp” does not reach the target (504).'],
])(
  'an HTTP proxy that responds with %d makes the check %s: %s',
  async (status, expected, message) => {
    const proxy = await startHttpProxy({ status });
    expect(await ask(proxy)).toMatchObject({ status: expected, failure: { message } });
    await proxy.close();
  },
);

test.each([
  [5, 'down', 'The proxy “corp” does not reach the target (connection refused).'],
  [4, 'down', 'The proxy “corp” does not reach the target (host unreachable).'],
  [2, 'unknown', 'The proxy “corp” refuses to connect to the target (SOCKS 2).'],
])('a SOCKS proxy that replies %d makes the check %s: %s', async (code, expected, message) => {
  const proxy = await startSocksProxy({ code });
  const outcome = await ask(proxy, { protocol: 'socks5' });
  expect(outcome).toMatchObject({ status: expected, failure: { message } });
  await proxy.close();
});

test('a proxy that hangs is named in the failure', async () => {
  const proxy = await startHttpProxy({ status: null });
  const outcome = await ask(proxy, { timeoutMs: 5_000 });
  expect(outcome).toMatchObject({
    status: 'down',
    failure: {
      code: 'connection_timeout',
      message: 'The proxy “corp” did not open a connection to the target in time.',
    },
  });
  await proxy.close();
});

test('a missing or broken proxy is named in the failure and does not make the target down', async () => {
  const gone = await startLoopbackServer((_, response) => response.end());
  const here = await startLoopbackServer((_, response) => response.end());
  await gone.close();
  expect(await ask(gone)).toMatchObject({
    status: 'unknown',
    failure: { message: 'The proxy “corp” cannot be reached (ECONNREFUSED).' },
  });
  expect(await ask(here, { protocol: 'https' })).toMatchObject({
    status: 'unknown',
    failure: { message: 'The proxy “corp” does not speak TLS.' },
  });
  expect(await ask(here, { protocol: 'socks5' })).toMatchObject({
    status: 'unknown',
    failure: { code: 'proxy_failed' },
  });
  await here.close();
});

test('a proxy with a self-signed certificate is refused, even if `trust: unchecked` is set for the target', async () => {
  const proxy = await startHttpProxy({ identity: own });
  const outcome = await ask(proxy, { protocol: 'https', tls: { trust: 'unchecked' } });
  expect(outcome).toMatchObject({
    status: 'unknown',
    failure: { message: 'The proxy “corp” cannot be trusted: The certificate is self-signed.' },
  });
  await proxy.close();
});

test('if a probe does not know the proxy of a check, the failure lists the known proxies', async () => {
  const runner = buildRunner({
    proxies: [{ name: 'dmz', protocol: 'http', host: '127.0.0.1', port: 1, credentials: null }],
  });
  const definition = buildDefinition({ url: `${target.origin}/`, proxy: 'corp' });
  expect(await runner.runStep(definition, 0, { slotMs: 0 })).toMatchObject({
    status: 'unknown',
    failure: {
      code: 'not_possible_here',
      message: 'This probe has no proxy “corp” in KEEPWATCH_PROXIES; it has dmz.',
    },
  });
  const none = buildDefinition({ url: `${target.origin}/`, proxy: 'none' });
  expect(await runner.runStep(none, 0, { slotMs: 0 })).toMatchObject({ status: 'up' });
  await runner.close();
});
