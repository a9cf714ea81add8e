/** Tests the HTTP server around the application: its limits, and an orderly shutdown. */
import { once } from 'node:events';
import { request as send } from 'node:http';
import { connect } from 'node:net';
import { withDeadline } from '../../../src/api/server/deadline';
import { createHttpServer, type HttpServer } from '../../../src/api/server/http-server';
import { withDeadlines } from '../../../src/models/store/deadline';
import { runUntil } from '../../../src/platform/abandon';
import { waitUntil } from '../../support/wait-until';

function portOf({ server }: HttpServer): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}

it('the HTTP server limits how long a client may take to send a request', () => {
  const { server } = createHttpServer(() => undefined);
  expect(server.requestTimeout).toBe(30_000);
  expect(server.headersTimeout).toBe(10_000);
});

it('the HTTP server passes requests to the handler that was set last', async () => {
  const http = createHttpServer((_request, response) => response.end('first'));
  await http.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${portOf(http)}`;
  expect(await (await fetch(url)).text()).toBe('first');
  http.use((_request, response) => response.end('second'));
  expect(await (await fetch(url)).text()).toBe('second');
  await http.close();
});

it.each([
  [400, 'malformed_request', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n'],
  [431, 'headers_too_large', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
  [417, 'expectation_failed', 'POST / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n'],
])(
  'a request that cannot be parsed gets a problem response with the reason: %i %s',
  async (status, code, sent) => {
    const http = createHttpServer((_request, response) => response.end('read'));
    await http.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect(portOf(http), '127.0.0.1');
    socket.write(sent);
    const pieces: Buffer[] = [];
    for await (const piece of socket) pieces.push(Buffer.from(piece));
    const [head = '', body = ''] = Buffer.concat(pieces).toString().split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head.toLowerCase()).toContain('content-type: application/problem+json');
    expect(body).toContain(`"code":"${code}"`);
    await http.close();
  },
);

it('a closing HTTP server waits for open requests, accepts no new requests and ends idle connections', async () => {
  let finish = (): void => undefined;
  const http = createHttpServer((_request, response) => {
    finish = () => response.end('done');
    http.server.emit('started');
  });
  await http.listen({ host: '127.0.0.1', port: 0 });
  const port = portOf(http);
  const idle = connect(port, '127.0.0.1');
  await once(idle, 'connect');
  const started = once(http.server, 'started');
  const open = send({ port, host: '127.0.0.1' }).end();
  const answered = once(open, 'response');
  await started;
  const closed = http.close();
  const refused = connect(port, '127.0.0.1');
  await expect(once(refused, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  finish();
  const [response] = await answered;
  expect(response.statusCode).toBe(200);
  response.resume();
  await closed;
});

it('the HTTP server reports a port that is already in use', async () => {
  const first = createHttpServer(() => undefined);
  await first.listen({ host: '127.0.0.1', port: 0 });
  const second = createHttpServer(() => undefined);
  const taken = second.listen({ host: '127.0.0.1', port: portOf(first) });
  await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await first.close();
});

describe('work with a deadline', () => {
  const waiting = new AbortController();

  it('work with a deadline passes on its result or error if it finishes in time', async () => {
    await expect(withDeadline(Promise.resolve(1), 1000, waiting)).resolves.toBe(1);
    await expect(withDeadline(Promise.reject(new Error('no')), 1000, waiting)).rejects.toThrow(
      'no',
    );
  });

  it('work with a deadline fails with the code `unavailable` if it takes longer', async () => {
    const endless = new Promise<never>(() => undefined);
    await expect(withDeadline(endless, 10, waiting)).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('work with a deadline makes no further database queries after the deadline', async () => {
    const asked: number[] = [];
    const read = async (page: number): Promise<void> => {
      asked.push(page);
    };
    const store = withDeadlines({ read }, 60_000);
    const abandon = new AbortController();
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const work = runUntil(abandon.signal, async () => {
      await store.read(1);
      await held;
      await store.read(2);
    });
    await expect(withDeadline(work, 10, abandon)).rejects.toMatchObject({
      code: 'unavailable',
    });
    goOn();
    await expect(work).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toEqual([1]);
    await store.read(3);
    expect(asked).toEqual([1, 3]);
  });
});

it('every response of a connection closes with the connection, even responses that wait for an earlier one', async () => {
  const asked: string[] = [];
  const closed: string[] = [];
  const http = createHttpServer(({ url = '' }, response) => {
    asked.push(url);
    response.once('close', () => closed.push(url));
    if (url === '/third') response.end('done');
  });
  await http.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect(portOf(http), '127.0.0.1');
  for (const path of ['/first', '/second', '/third'])
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await waitUntil('three requests', () => asked.length === 3);
  socket.destroy();
  await waitUntil('three closed responses', () => closed.length === 3);
  expect(closed.toSorted()).toEqual(['/first', '/second', '/third']);
  await http.close();
});

it('a closing HTTP server sends every response that a connection waits for', async () => {
  const finish: (() => void)[] = [];
  const http = createHttpServer((_request, response) => {
    finish.push(() => response.end('done'));
  });
  await http.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect(portOf(http), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += String(chunk);
  });
  const count = () => received.split('HTTP/1.1 200 OK').length - 1;
  for (const path of ['/first', '/second']) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await waitUntil('two requests', () => finish.length === 2);
  const closed = http.close();
  finish[0]?.();
  await waitUntil('the first response', () => count() === 1);
  finish[1]?.();
  await closed;
  expect(count()).toBe(2);
});
