/** Tests requests to issuers: which server gets them, and which responses are refused. */
import { createServer, type RequestListener } from 'node:http';
import { createIssuerRequests, IssuerAway } from '../../../src/platform/sign-in/issuer-requests';
import { listenOnLoopback } from '../../support/loopback-server';

let respond: RequestListener;
let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  const server = await listenOnLoopback(createServer((...args) => respond(...args)));
  url = `http://127.0.0.1:${server.port}`;
  close = server.close;
});
afterAll(() => close());

beforeEach(() => {
  respond = (_request, response) => response.end('{"a":1}');
});

const PRIVATE = 'it is not public';
const refuseHost = (host: string): string | null =>
  ['127.0.0.1', '::1'].includes(host) ? PRIVATE : null;

test('a request to an issuer sends method, headers and body, and returns status and text', async () => {
  respond = (request, response) => {
    response.statusCode = 201;
    request.pipe(response.setHeader('x-method', request.method ?? ''));
  };
  const response = await createIssuerRequests(url, {})(`${url}/token`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'a=b',
  });
  expect(response).toMatchObject({ status: 201, text: 'a=b', headers: { 'x-method': 'POST' } });
});

test('a request reaches the host of its issuer even if that host is private', async () => {
  const send = createIssuerRequests(url, { refuseHost });
  await expect(send(url)).resolves.toMatchObject({ status: 200 });
});

test('a request does not reach a private host that a document of a public issuer names', async () => {
  const send = createIssuerRequests('http://issuer.example', { refuseHost });
  await expect(send(`${url}/keys`)).rejects.toThrow(PRIVATE);
});

test('a request to an issuer does not reach a host name that resolves to a private address', async () => {
  const send = createIssuerRequests('http://issuer.example', { refuseHost });
  const named = url.replace('127.0.0.1', 'localhost');
  await expect(send(`${named}/keys`)).rejects.toThrow(PRIVATE);
});

test('a request is never unencrypted if its issuer uses https', async () => {
  const send = createIssuerRequests('https://127.0.0.1', {});
  await expect(send(url)).rejects.toThrow('not served over https');
});

test('a request to an issuer follows no redirect', async () => {
  respond = (_request, response) => response.writeHead(302, { location: url }).end();
  await expect(createIssuerRequests(url, {})(url)).resolves.toMatchObject({ status: 302 });
});

test.each<[string, RequestListener]>([
  ['responds with 503', (_request, response) => response.writeHead(503).end()],
  ['responds with too much', (_request, response) => response.end('x'.repeat(300_000))],
  ['never responds', () => undefined],
  ['closes the connection', (request) => request.socket.destroy()],
])('an issuer that %s counts as away, and the error shows no query', async (_name, listener) => {
  respond = listener;
  const send = createIssuerRequests(url, { deadlineMs: 300 });
  const failure = await send(`${url}/path?secret=1`).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(IssuerAway);
  expect(String(failure)).toContain('/path');
  expect(String(failure)).not.toContain('secret');
});
