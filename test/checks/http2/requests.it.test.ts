/**
 * Tests requests over HTTP/2: which HTTP version is used when, and that all features work as over HTTP/1.1.
 *
 * Covers:
 * - checks/http2/exchange-http2
 */
import { createServer } from 'node:https';
import { createServer as createTlsServer } from 'node:tls';
import { brotliCompressSync } from 'node:zlib';
import type { StepRunner } from '../../../src/checks/step-runner';
import type { StepDefinition } from '../../../src/contracts/definition';
import { listenOnLoopback, startLoopbackServer } from '../../support/loopback-server';
import { makeCertificate } from '../../support/make-certificate';
import { certificate, say, startTarget, testAuthority } from '../../support/misbehaving-target';
import { startRecordingTarget } from '../../support/recording-target';
import { buildDefinition, buildRunner } from '../../support/step-builder';
import {
  END_HEADERS,
  END_STREAM,
  head,
  onRequest,
  SETTINGS,
  STATUS_200,
} from '../support/http2-frames';
import { type Http2Target, type Respond, reply, startHttp2Target } from '../support/http2-target';
import { startHttpProxy, startSocksProxy } from '../support/proxies';
import { startTokenProvider, tokenNumber } from '../support/token-provider';

const secrets = [{ name: 'key', value: 'a-key-of-many-characters' }];
const own = makeCertificate(Date.now() + 90 * 86_400_000);

let runner: StepRunner;
/** A server that calls `respond` for each request. */
let target: Http2Target;
let respond: Respond;
beforeAll(async () => {
  runner = buildRunner({ extraAuthorities: [testAuthority(), own.cert] });
  target = await startHttp2Target((stream, call) => respond(stream, call));
});
afterAll(() => Promise.all([runner.close(), target.close()]));
beforeEach(() => {
  respond = reply('hello');
});
/** Expects that no request has left a connection open. */
afterEach(() => target.allClosed());

const run = (step: Partial<StepDefinition>) =>
  runner.runStep(buildDefinition({ showsBody: true, ...step }), 0, { slotMs: 0, secrets });

const ask = (step: Partial<StepDefinition> = {}) =>
  run({ url: `https://localhost:${target.port}/`, ...step });

const lastCall = () => target.calls.at(-1);

describe('the HTTP version', () => {
  it.each([
    ['without the option', undefined],
    ['with the option auto', 'auto'],
    ['with the option 2', '2'],
  ] as const)(
    'the HTTP version is 2 %s if the server offers no other version',
    async (_what, httpVersion) => {
      const outcome = await ask({ httpVersion });
      expect(outcome).toMatchObject({
        status: 'up',
        response: { status: 200, httpVersion: '2', remoteIp: '127.0.0.1', bodyPreview: 'hello' },
        tls: { version: 'TLSv1.3', trusted: true },
      });
      for (const phase of ['dnsMs', 'connectMs', 'tlsMs', 'ttfbMs', 'downloadMs'] as const)
        expect(outcome.timings?.[phase]).toBeGreaterThan(0);
    },
  );

  it('a check with HTTP version 1.1 fails if the server offers only h2', async () => {
    expect(await ask({ httpVersion: '1.1' })).toMatchObject({
      status: 'down',
      failure: {
        code: 'tls_error',
        phase: 'tls',
        message: 'The server accepts none of the protocols that were offered by ALPN (http/1.1).',
      },
    });
  });

  it('a check with HTTP version 2 fails if the server offers only http/1.1, and a check with auto uses http/1.1', async () => {
    const server = createServer(certificate('good'), (_, response) => response.end('old'));
    const { port, close } = await listenOnLoopback(server);
    const url = `https://localhost:${port}/`;
    expect(await run({ url, httpVersion: 'auto' })).toMatchObject({
      status: 'up',
      response: { httpVersion: '1.1', bodyPreview: 'old' },
    });
    expect(await run({ url, httpVersion: '2' })).toMatchObject({
      status: 'down',
      failure: {
        code: 'tls_error',
        phase: 'tls',
        message: 'The server accepts none of the protocols that were offered by ALPN (h2).',
      },
    });
    await close();
  });

  it('a check with HTTP version 2 fails and sends nothing if the server does not know ALPN', async () => {
    let sent = 0;
    const server = createTlsServer(certificate('good'), (socket) => {
      socket
        .on('error', () => undefined)
        .on('data', ({ length }) => {
          sent += length;
        });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : null;
    expect(await run({ url: `https://localhost:${port}/`, httpVersion: '2' })).toMatchObject({
      status: 'down',
      failure: {
        code: 'tls_error',
        phase: 'tls',
        message:
          'The server does not speak HTTP/2 here: h2 was offered by ALPN, and it chose no protocol.',
      },
    });
    await new Promise((resolve) => {
      server.close(resolve);
    });
    expect(sent).toBe(0);
  });

  it('the HTTP version without TLS is 1.1, or 2 without an upgrade if the definition requires 2', async () => {
    const plain = await startHttp2Target(reply('clear'), null);
    const old = await startLoopbackServer((_, response) => response.end('old'));
    const url = `http://127.0.0.1:${plain.port}/`;
    expect(await run({ url, httpVersion: '2' })).toMatchObject({
      status: 'up',
      response: { httpVersion: '2', bodyPreview: 'clear' },
      tls: null,
    });
    expect(await run({ url: old.url })).toMatchObject({ response: { httpVersion: '1.1' } });
    expect(await run({ url: old.url, httpVersion: '2' })).toMatchObject({
      status: 'down',
      failure: {
        code: 'invalid_response',
        phase: 'ttfb',
        message: 'The server does not speak HTTP/2 here.',
      },
    });
    await plain.allClosed();
    await Promise.all([plain.close(), old.close()]);
  });

  it('with auto, the HTTP version is 1.1 for a server that chooses h2 and then requires HTTP/1.1', async () => {
    const server = await startHttp2Target((stream) => stream.close(0xd), {
      allowHTTP1: true,
      http1: (_, response) => response.end('old'),
    });
    const url = `https://localhost:${server.port}/`;
    expect(await run({ url })).toMatchObject({
      status: 'up',
      response: { httpVersion: '1.1', bodyPreview: 'old' },
      attempts: [{ failure: null }],
    });
    expect(await run({ url, httpVersion: '2' })).toMatchObject({
      failure: {
        code: 'connection_reset',
        message: 'The HTTP/2 stream was reset with HTTP_1_1_REQUIRED.',
      },
    });
    await server.close();
  });
});

describe('an HTTP/2 request', () => {
  it('an HTTP/2 request has the headers of HTTP/2, and none that belong to a connection', async () => {
    await ask({
      method: 'POST',
      url: `https://localhost:${target.port}/a%20b?c=d#e`,
      headers: [
        { name: 'X-Trimmed', value: ' ü ' },
        { name: 'Host', value: 'shop.example' },
        { name: 'Proxy-Connection', value: 'keep-alive' },
      ],
      body: 'order',
    });
    expect(lastCall()?.body).toBe('order');
    const { 'user-agent': _agent, ...headers } = { ...lastCall()?.headers };
    expect(headers).toEqual({
      ':method': 'POST',
      ':scheme': 'https',
      ':authority': 'shop.example',
      ':path': '/a%20b?c=d',
      'x-trimmed': 'ü',
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      'content-length': '5',
    });
  });

  it.each(['http', 'https', 'socks5'] as const)(
    'an HTTP/2 request goes through a proxy that uses %s',
    async (protocol) => {
      const identity = protocol === 'https' ? { identity: own } : {};
      const proxy =
        protocol === 'socks5' ? await startSocksProxy() : await startHttpProxy(identity);
      const host = protocol === 'https' ? 'localhost' : '127.0.0.1';
      const proxied = buildRunner({
        extraAuthorities: [testAuthority(), own.cert],
        proxies: [{ name: 'corp', protocol, host, port: proxy.port, credentials: null }],
      });
      const url = `https://localhost:${target.port}/`;
      const definition = buildDefinition({ url, proxy: 'corp', httpVersion: '2' });
      expect(await proxied.runStep(definition, 0, { slotMs: 0 })).toMatchObject({
        status: 'up',
        response: { httpVersion: '2', bytes: 5 },
      });
      expect(proxy.asked).toEqual([`127.0.0.1:${target.port}`]);
      await Promise.all([proxied.close(), proxy.close()]);
    },
  );

  it('an HTTP/2 request follows redirects from HTTP/2 to HTTP/1.1 and keeps cookies', async () => {
    const old = await startRecordingTarget((_, response) =>
      response.writeHead(302, { location: `https://localhost:${target.port}/end` }).end(),
    );
    respond = (stream, { headers }) => {
      const isEnd = headers[':path'] === '/end';
      const location = isEnd ? {} : { location: `${old.origin}/next` };
      const cookies = ['a=1; Path=/; Secure', 'b=2; Path=/'];
      stream.respond({ ':status': isEnd ? 200 : 302, ...location, 'set-cookie': cookies });
      stream.end(isEnd ? 'arrived' : '');
    };
    expect(await ask()).toMatchObject({
      status: 'up',
      response: { httpVersion: '2', redirects: 2, bodyPreview: 'arrived' },
    });
    expect(old.received).toMatchObject([{ url: '/next' }]);
    expect(lastCall()?.headers).toMatchObject({ ':path': '/end', cookie: 'a=1; b=2' });
    await old.close();
  });

  it('an HTTP/2 request is not sent if the certificate of the server differs from the pinned certificate', async () => {
    const before = target.calls.length;
    const outcome = await ask({ tls: { trust: { pin: ['ab'.repeat(32)] } } });
    expect(outcome).toMatchObject({ status: 'down', failure: { code: 'tls_error' } });
    expect(outcome.tls?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(target.calls).toHaveLength(before);
  });

  it('an HTTP/2 outcome says so if the server requires a client certificate', async () => {
    const strict = { ca: testAuthority(), requestCert: true, rejectUnauthorized: true };
    const server = await startHttp2Target(reply('in'), strict);
    expect(await run({ url: `https://localhost:${server.port}/` })).toMatchObject({
      status: 'down',
      failure: {
        code: 'tls_error',
        message: 'The server requires a client certificate. Set tls.certificate and tls.key.',
      },
    });
    await server.close();
  });

  it('an HTTP/2 request is sent again with digest credentials after a challenge of the server', async () => {
    respond = (stream, { headers }) => {
      const isSigned = headers.authorization !== undefined;
      const challenge = 'Digest realm="shop", nonce="abc", qop="auth"';
      const asked = isSigned ? {} : { 'www-authenticate': challenge };
      stream.respond({ ':status': isSigned ? 200 : 401, ...asked });
      stream.end();
    };
    const auth = { type: 'digest', user: 'ada', password: '{{secret:key}}' } as const;
    expect(await ask({ auth })).toMatchObject({ status: 'up' });
    expect(lastCall()?.headers.authorization).toMatch(/^Digest username="ada".*uri="\/"/);
  });

  it('an HTTP/2 request carries an AWS signature that covers the authority', async () => {
    const keys = { accessKeyId: 'AKID', secretAccessKey: '{{secret:key}}' };
    await ask({ auth: { type: 'sigv4', ...keys, region: 'eu-central-1', service: 's3' } });
    expect(lastCall()?.headers).toMatchObject({
      ':authority': `localhost:${target.port}`,
      authorization: expect.stringMatching(/SignedHeaders=host;x-amz-content-sha256;x-amz-date,/),
    });
  });

  it('an HTTP/2 request carries a token that was fetched by HTTP/1.1', async () => {
    const provider = await startTokenProvider();
    const { tokenUrl } = provider;
    const client = { clientId: 'shop', clientSecret: '{{secret:key}}', sendAs: 'header' } as const;
    await ask({ auth: { type: 'oauth2', grant: 'clientCredentials', tokenUrl, ...client } });
    expect(lastCall()?.headers.authorization).toBe(`Bearer ${tokenNumber(1)}`);
    await provider.close();
  });
});

describe('an HTTP/2 response', () => {
  it('an HTTP/2 response keeps repeated headers, bytes in UTF-8 and Latin-1, and has no pseudo-headers', async () => {
    respond = (stream) => {
      const latin = Buffer.from('ü').toString('latin1');
      stream.respond({ ':status': 200, link: ['<a>', '<b>'], 'x-utf8': latin, 'x-latin': '\xfc' });
      stream.end();
    };
    const { response } = await ask();
    expect(response?.headers?.filter(({ name }) => name !== 'date')).toEqual([
      { name: 'link', value: '<a>' },
      { name: 'link', value: '<b>' },
      { name: 'x-utf8', value: 'ü' },
      { name: 'x-latin', value: 'ü' },
    ]);
  });

  it('an HTTP/2 response is decompressed', async () => {
    respond = reply(brotliCompressSync('packed'), { 'content-encoding': 'br' });
    expect(await ask()).toMatchObject({
      status: 'up',
      response: { bodyPreview: 'packed', bytes: 6 },
    });
  });

  it('an HTTP/2 response may have trailers, interim responses, or no body', async () => {
    respond = (stream) => {
      stream.additionalHeaders({ ':status': 103, link: '<a>' });
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.once('wantTrailers', () => stream.sendTrailers({ 'x-sum': '1' }));
      stream.end('hello');
    };
    expect(await ask()).toMatchObject({ status: 'up', response: { status: 200, bytes: 5 } });
    respond = (stream) => stream.respond({ ':status': 204 }, { endStream: true });
    expect(await ask()).toMatchObject({ response: { status: 204, bytes: 0 } });
    respond = (stream) => stream.respond({ ':status': 200, 'content-length': 99 });
    expect(await ask({ method: 'HEAD' })).toMatchObject({ status: 'up', response: { bytes: 0 } });
  });

  it('an HTTP/2 response is read up to 1 MiB', async () => {
    // This test has its own server. A server of Node may not notice a reset while it waits to send more, so its
    // connection may stay open.
    const server = await startHttp2Target(reply(Buffer.alloc(3 * 1024 * 1024, 'a')));
    expect(await run({ url: `https://localhost:${server.port}/` })).toMatchObject({
      status: 'up',
      response: { bytes: 1024 * 1024, truncated: true },
    });
    await server.close();
  });

  it('an HTTP/2 response may come before the whole request was sent', async () => {
    const early = onRequest(say(SETTINGS, head(STATUS_200, END_HEADERS + END_STREAM)));
    const tls = { ...certificate('good'), ALPNProtocols: ['h2'] };
    const server = await startTarget({ play: early, begins: 'connected', tls });
    const url = `https://localhost:${server.port}/`;
    const body = 'x'.repeat(900_000);
    expect(await run({ url, method: 'POST', body })).toMatchObject({
      response: { status: 200, httpVersion: '2' },
    });
    await server.close();
  });
});
