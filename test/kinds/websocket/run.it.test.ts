/**
 * Tests WebSocket checks against servers of every behaviour: what passes, how each failure is named, and what is stored
 * as evidence.
 *
 * Covers:
 * - kinds/websocket/run
 * - kinds/signal
 */
import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import type { StepRunner } from '../../../src/checks/step-runner';
import type { NetworkStep, WebSocketSettings } from '../../../src/contracts/kinds';
import { MASK } from '../../../src/domain/secrets/redact';
import {
  certificate,
  type Play,
  say,
  sayThenClose,
  startTarget,
  type TargetKind,
} from '../../support/misbehaving-target';
import { buildKindRunner, COMMON_STEP, kindDefinition } from '../support/kind-runner';
import { closeFrame, frame, OPCODES, upgradeThen } from '../support/web-socket-target';

let runner: StepRunner;
beforeAll(() => {
  runner = buildKindRunner();
});
afterAll(() => runner.close());

function stepFor(
  url: string,
  settings: Partial<WebSocketSettings>,
  timeoutMs: number,
): NetworkStep {
  const whole = { url, headers: [], subprotocol: null, send: null, expect: null, ...settings };
  return { ...COMMON_STEP, url, timeoutMs, type: 'websocket', settings: whole };
}

/** Runs one check of a target with this behaviour. */
async function meet(
  target: TargetKind,
  settings: Partial<WebSocketSettings> = {},
  timeoutMs = 30_000,
) {
  const { port, close } = await startTarget({ begins: 'connected', ...target });
  const scheme = target.tls === undefined ? 'ws' : 'wss';
  try {
    const step = stepFor(`${scheme}://127.0.0.1:${port}/events`, settings, timeoutMs);
    return await runner.runStep(kindDefinition(step), 0, { slotMs: 0 });
  } finally {
    await close();
  }
}

const frames = (...sent: readonly Buffer[]): Play =>
  upgradeThen((socket) => socket.write(Buffer.concat(sent)));
const text = (content: string): Buffer => frame(OPCODES.text, content);
const quiet: Play = () => undefined;

/**
 * Timeout in milliseconds for checks that are expected to time out. It is long enough for everything that comes before.
 */
const LIMIT_MS = 5_000;

test.each([
  { name: 'an upgrade is enough without an expectation', play: frames() },
  {
    name: 'one of the messages matches',
    play: frames(text('hello'), text('{"type":"ready"}')),
    settings: { expect: '"ready"' },
  },
  {
    name: 'each message is compared with the expectation separately',
    play: frames(text('first'), text('second')),
    settings: { expect: '^second$' },
  },
  {
    name: 'a message in fragments, with a ping between them',
    play: frames(
      frame(OPCODES.text, 'rea', { isLast: false }),
      frame(OPCODES.ping, 'x'),
      frame(OPCODES.more, 'dy'),
    ),
    settings: { expect: '^ready$' },
  },
  {
    name: 'a binary message is read as text',
    play: frames(frame(OPCODES.binary, 'ready')),
    settings: { expect: '^ready$' },
  },
  {
    name: 'a message before the server closes',
    play: frames(text('ready'), closeFrame(1000)),
    settings: { expect: 'ready' },
  },
  {
    name: 'a subprotocol that the server accepts',
    play: upgradeThen(() => undefined, { lines: ['Sec-WebSocket-Protocol: mqtt'] }),
    settings: { subprotocol: 'mqtt' },
  },
])('the WebSocket check passes: $name', async ({ play, settings = {} }) => {
  const { status, failure } = await meet({ play }, settings);
  expect({ status, failure }).toEqual({ status: 'up', failure: null });
});

test.each([
  {
    name: 'a server that never responds to the upgrade',
    play: quiet,
    timeoutMs: LIMIT_MS,
    failure: { code: 'timeout', phase: 'ttfb' },
  },
  {
    name: 'a page instead of an upgrade',
    play: sayThenClose('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'),
    failure: { code: 'invalid_response', message: expect.stringContaining('the status 200') },
  },
  {
    name: 'an unauthorised upgrade',
    play: sayThenClose('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n'),
    failure: { code: 'invalid_response', message: expect.stringContaining('the status 401') },
  },
  {
    name: 'a redirect, which is not followed',
    play: sayThenClose('HTTP/1.1 301 Moved\r\nLocation: ws://127.0.0.1:1/\r\n\r\n'),
    failure: { code: 'invalid_response', message: expect.stringContaining('the status 301') },
  },
  {
    name: 'another protocol than HTTP',
    play: say('220 mail ESMTP\r\n'),
    failure: { code: 'invalid_response', message: expect.stringContaining('not speak HTTP') },
  },
  {
    name: 'a server that closes at once',
    play: sayThenClose(),
    failure: { code: 'connection_reset', phase: 'ttfb' },
  },
  {
    name: 'an accept key for another upgrade',
    play: upgradeThen(() => undefined, { accept: 'bm90IGl0' }),
    failure: {
      code: 'invalid_response',
      message: expect.stringContaining('invalid Sec-WebSocket-Accept header'),
    },
  },
  {
    name: 'a subprotocol that the server does not accept',
    play: frames(),
    settings: { subprotocol: 'mqtt' },
    failure: { code: 'invalid_response', message: expect.stringContaining('no subprotocol') },
  },
  {
    name: 'compression that was not requested',
    play: upgradeThen(() => undefined, {
      lines: ['Sec-WebSocket-Extensions: permessage-deflate'],
    }),
    failure: { code: 'invalid_response' },
  },
  {
    name: 'a compressed message',
    play: frames(frame(OPCODES.text, 'bomb', { hasRsv1: true })),
    settings: { expect: 'ready' },
    failure: { code: 'invalid_response', message: expect.stringContaining('RSV1 must be clear') },
  },
  {
    name: 'invalid bytes instead of frames',
    play: frames(Buffer.from('ffffffffffff', 'hex')),
    settings: { expect: 'ready' },
    failure: {
      code: 'invalid_response',
      message: expect.stringContaining('violated the WebSocket protocol'),
    },
  },
  {
    name: 'a message that is not UTF-8',
    play: frames(frame(OPCODES.text, Buffer.from([0xff, 0xfe]))),
    settings: { expect: 'ready' },
    failure: { code: 'invalid_response', message: expect.stringContaining('UTF-8') },
  },
  {
    name: 'a message of more than 64 KiB',
    play: frames(text('x'.repeat(70_000))),
    settings: { expect: 'ready' },
    failure: { code: 'body_too_large' },
  },
  {
    name: 'endless messages',
    play: frames(...Array.from({ length: 500 }, (_, at) => text(`message ${at}`))),
    settings: { expect: 'ready' },
    failure: { code: 'assertion_failed' },
  },
  {
    name: 'endless long messages',
    play: frames(text('x'.repeat(50_000)), text('y'.repeat(50_000))),
    settings: { expect: 'ready' },
    failure: { code: 'assertion_failed' },
  },
  {
    name: 'endless pings',
    play: frames(...Array.from({ length: 5_000 }, () => frame(OPCODES.ping, ''))),
    settings: { expect: 'ready' },
    failure: { code: 'invalid_response', message: expect.stringContaining('too many pings') },
  },
  {
    name: 'an upgrade followed by silence',
    play: frames(),
    settings: { expect: 'ready' },
    timeoutMs: LIMIT_MS,
    failure: { code: 'timeout', phase: 'download' },
  },
  {
    name: 'another message followed by silence',
    play: frames(text('hello')),
    settings: { expect: 'ready' },
    timeoutMs: LIMIT_MS,
    failure: { code: 'assertion_failed' },
  },
  {
    name: 'a close with a code and a reason',
    play: frames(closeFrame(1008, 'no token')),
    settings: { expect: 'ready' },
    failure: {
      code: 'connection_reset',
      message: 'The server closed the connection with 1008 (policy violation): no token.',
    },
  },
  {
    name: 'an error after another message',
    play: frames(text('hello'), closeFrame(1011)),
    settings: { expect: 'ready' },
    failure: {
      code: 'connection_reset',
      message: expect.stringContaining('1011 (internal error)'),
    },
  },
  {
    name: 'a proper close without the expected message',
    play: frames(text('hello'), closeFrame(1000)),
    settings: { expect: 'ready' },
    failure: { code: 'assertion_failed' },
  },
  {
    name: 'a connection that ends without a close frame',
    play: upgradeThen((socket) => socket.end()),
    settings: { expect: 'ready' },
    failure: {
      code: 'connection_reset',
      message: expect.stringContaining('without a close frame'),
    },
  },
])('the WebSocket check fails: $name', async ({ play, settings = {}, timeoutMs, failure }) => {
  const outcome = await meet({ play }, settings, timeoutMs);
  expect(outcome).toMatchObject({ status: 'down', request: { method: 'WEBSOCKET' }, failure });
});

test('an untrusted certificate fails the WebSocket check before the upgrade', async () => {
  const outcome = await meet({ play: frames(), tls: certificate('expired') });
  expect(outcome.failure).toMatchObject({ code: 'tls_error', phase: 'tls' });
});

test('a WebSocket check stores messages, the close code, the certificate and each phase as evidence', async () => {
  const play = frames(text('hello'), text('ready'), closeFrame(1001, 'restart'));
  const outcome = await meet({ play, tls: certificate('good') }, { expect: 'never' });
  expect(outcome.response).toMatchObject({
    status: null,
    remoteIp: '127.0.0.1',
    bytes: 10,
    bodyPreview: 'hello\nready\n[closed: 1001 (going away): restart]',
  });
  expect(outcome.tls).toMatchObject({ trusted: true });
  expect(outcome.timings).toMatchObject({
    dnsMs: null,
    connectMs: expect.any(Number),
    tlsMs: expect.any(Number),
    ttfbMs: expect.any(Number),
    downloadMs: expect.any(Number),
  });
  expect(outcome.assertions).toMatchObject([{ type: 'body', operator: 'matches', ok: false }]);
});

test('a WebSocket check sends secrets in headers and messages, and masks them in all that the server returns', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const closed = new Promise<number>((resolve) => {
    server.on('connection', (socket, { headers }) => {
      socket.on('message', (data: Buffer) =>
        socket.send(`${headers.authorization} ${data.toString()}`),
      );
      socket.on('close', resolve);
    });
  });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  const url = `ws://127.0.0.1:${address.port}/`;
  const settings = {
    headers: [{ name: 'Authorization', value: 'Bearer {{secret:token}}' }],
    send: 'I am {{user}}',
    expect: 'I am me',
  };
  const definition = kindDefinition(stepFor(url, settings, 30_000), [
    { name: 'user', value: 'me' },
  ]);
  const check = (hosts: readonly string[]) =>
    runner.runStep(definition, 0, {
      slotMs: 0,
      secrets: [{ name: 'token', value: 'account-secret-2', hosts }],
    });
  expect(await check(['other.example.com'])).toMatchObject({ failure: { code: 'secret_missing' } });
  const outcome = await check([`http://127.0.0.1:${address.port}`]);
  expect(outcome).toMatchObject({ status: 'up', failure: null });
  expect(outcome.response?.bodyPreview).toBe(`Bearer ${MASK} I am me`);
  // The check closes the connection with the code for a normal end.
  expect(await closed).toBe(1000);
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

test('a WebSocket check of a private target is refused before anything is sent', async () => {
  const strict = buildKindRunner({ allowedPrivateTargets: [] });
  const step = stepFor('ws://127.0.0.1:9/', {}, 30_000);
  const outcome = await strict.runStep(kindDefinition(step), 0, { slotMs: 0 });
  await strict.close();
  expect(outcome).toMatchObject({ failure: { code: 'blocked_target' }, response: null });
});
