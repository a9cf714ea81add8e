/**
 * Tests gRPC checks against servers of every behaviour: what passes, how each failure is named, and what is stored as
 * evidence.
 *
 * Covers:
 * - kinds/grpc/run
 */
import { createSecureServer, createServer, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { StepRunner } from '../../../src/checks/step-runner';
import type { GrpcSettings, NetworkStep } from '../../../src/contracts/kinds';
import {
  certificate,
  type Play,
  say,
  sayForEver,
  sayThenClose,
  startTarget,
} from '../../support/misbehaving-target';
import { buildKindRunner, COMMON_STEP, kindDefinition } from '../support/kind-runner';

let runner: StepRunner;
beforeAll(() => {
  runner = buildKindRunner();
});
afterAll(() => runner.close());

function grpcStep(settings: Partial<GrpcSettings>, timeoutMs = 30_000): NetworkStep {
  const whole = {
    host: '127.0.0.1',
    port: 1,
    useTls: false,
    serverName: null,
    service: null,
    ...settings,
  };
  const url = `grpc://${whole.host}:${whole.port}`;
  return { ...COMMON_STEP, url, timeoutMs, type: 'grpc', settings: whole };
}

const check = (settings: Partial<GrpcSettings>, timeoutMs?: number) =>
  runner.runStep(kindDefinition(grpcStep(settings, timeoutMs)), 0, { slotMs: 0 });

interface Call {
  readonly path: string | undefined;
  readonly authority: string | undefined;
  readonly sent: string;
}

type Respond = (stream: ServerHttp2Stream) => void;

/** Runs one check of a gRPC server with this behaviour. Returns the outcome and the calls that the server got. */
async function meet(
  respond: Respond,
  {
    tls,
    timeoutMs,
    ...settings
  }: Partial<GrpcSettings> & { tls?: string; timeoutMs?: number } = {},
) {
  const calls: Call[] = [];
  const sockets = new Set<Socket>();
  const server = tls === undefined ? createServer() : createSecureServer(certificate(tls));
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    let sent = '';
    stream.on('data', (piece: Buffer) => {
      sent += piece.toString('hex');
    });
    stream.on('end', () => {
      calls.push({ path: headers[':path'], authority: headers[':authority'], sent });
      respond(stream);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  const { port } = address;
  try {
    return { outcome: await check({ ...settings, port }, timeoutMs), calls, port };
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  }
}

const GRPC = { ':status': 200, 'content-type': 'application/grpc' };

/** Responds with a message and then trailers. */
function reply(hex: string, trailers: Record<string, string> = { 'grpc-status': '0' }): Respond {
  return (stream) => {
    stream.respond(GRPC, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    const message = Buffer.from(hex, 'hex');
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    stream.end(Buffer.concat([head, message]));
  };
}

const trailersOnly =
  (status: string, message?: string): Respond =>
  (stream) =>
    stream.respond(
      { ...GRPC, 'grpc-status': status, ...(message !== undefined && { 'grpc-message': message }) },
      { endStream: true },
    );

/**
 * Timeout in milliseconds for checks that are expected to time out. It is long enough for everything that comes before.
 */
const LIMIT_MS = 5_000;

test('a gRPC server that reports SERVING is up, and its response is stored as evidence', async () => {
  const { outcome, calls, port } = await meet(reply('0801'), { service: 'shop.Orders' });
  expect(outcome).toMatchObject({
    status: 'up',
    failure: null,
    request: { method: 'GRPC' },
    response: { remoteIp: '127.0.0.1', bytes: 7, bodyPreview: 'OK (0)\nSERVING' },
    assertions: [{ ok: true, actual: 'SERVING', expected: 'SERVING' }],
    timings: {
      connectMs: expect.any(Number),
      ttfbMs: expect.any(Number),
      downloadMs: expect.any(Number),
    },
  });
  const name = Buffer.from('shop.Orders').toString('hex');
  expect(calls).toEqual([
    {
      path: '/grpc.health.v1.Health/Check',
      authority: `127.0.0.1:${port}`,
      sent: `000000000d0a0b${name}`,
    },
  ]);
});

test('a gRPC server is asked over TLS under the configured server name', async () => {
  const { outcome, calls, port } = await meet(reply('0801'), {
    useTls: true,
    tls: 'good',
    serverName: 'localhost',
  });
  expect(outcome).toMatchObject({ status: 'up', tls: { trusted: true } });
  expect(calls).toMatchObject([{ authority: `localhost:${port}` }]);
});

test.each(['UNKNOWN', 'NOT_SERVING', 'SERVICE_UNKNOWN'])(
  'the status %s makes the gRPC check down, with the reason',
  async (status) => {
    const hex = { UNKNOWN: '', NOT_SERVING: '0802', SERVICE_UNKNOWN: '0803' }[status] ?? '';
    const { outcome } = await meet(reply(hex), { service: 'shop.Orders' });
    expect(outcome).toMatchObject({
      status: 'down',
      failure: {
        code: 'assertion_failed',
        message: expect.stringContaining(
          `The server reports ${status} for the service shop.Orders`,
        ),
      },
    });
  },
);

test.each<readonly [string, Respond, string, string]>([
  ['no health service', trailersOnly('12'), 'invalid_response', 'has no health service'],
  ['an unknown service', trailersOnly('5'), 'invalid_response', 'does not know the whole server'],
  [
    'another status',
    trailersOnly('14', 'try%20later'),
    'invalid_response',
    'responded with UNAVAILABLE (14): try later.',
  ],
  [
    'a status after a message',
    reply('0801', { 'grpc-status': '13' }),
    'invalid_response',
    'INTERNAL',
  ],
  ['no status', reply('0801', {}), 'invalid_response', 'has no gRPC status'],
  ['a non-numeric status', trailersOnly('fine'), 'invalid_response', 'has no gRPC status'],
  ['a bad message', reply('08'), 'invalid_response', 'not from the health service'],
  ['a huge response', reply('00'.repeat(100_000)), 'body_too_large', 'longer than 4 KiB'],
  [
    'a page',
    (stream) => {
      stream.respond({ ':status': 404, 'content-type': 'text/html' });
      stream.end('<html>');
    },
    'invalid_response',
    'the HTTP status 404',
  ],
  [
    'JSON',
    (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/json' });
      stream.end('{}');
    },
    'invalid_response',
    'instead of gRPC',
  ],
  ['a reset', (stream) => stream.close(7), 'connection_reset', 'REFUSED_STREAM'],
  [
    'a closed connection',
    (stream) => stream.session?.destroy(),
    'connection_reset',
    'The connection was',
  ],
  [
    'an endless response',
    (stream) => {
      stream.respond(GRPC);
      stream.write('a');
    },
    'timeout',
    'Timed out',
  ],
])('a gRPC server that responds with %s is down', async (_name, respond, code, words) => {
  const timeoutMs = code === 'timeout' ? LIMIT_MS : 30_000;
  const { outcome } = await meet(respond, { timeoutMs });
  expect(outcome).toMatchObject({
    status: 'down',
    failure: { code, message: expect.stringContaining(words) },
  });
});

const quiet: Play = () => undefined;

test.each<readonly [string, Play, string]>([
  [
    'HTTP/1',
    sayThenClose('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
    'invalid_response',
  ],
  ['another protocol', say('220 mail ESMTP\r\n'), 'invalid_response'],
  ['nothing', quiet, 'timeout'],
  ['an immediate close', sayThenClose(), 'connection_reset'],
])(
  'a gRPC check of a server that responds with %s instead of gRPC is down',
  async (_name, play, code) => {
    const { port, close } = await startTarget({ begins: 'connected', play });
    const outcome = await check({ port }, code === 'timeout' ? LIMIT_MS : 30_000);
    await close();
    expect(outcome).toMatchObject({ status: 'down', failure: { code } });
  },
);

/** A SETTINGS frame (type 4) without settings, and a PING frame (type 6) with eight bytes. */
const SETTINGS_FRAME = '000000040000000000';
const PING_FRAME = `0000080600${'00'.repeat(12)}`;

/** Repeats a frame a thousand times. This process also sends the frames, so larger pieces keep it less busy. */
const thousand = (frame: string) => Buffer.from(frame.repeat(1_000), 'hex');

test.each([
  ['pings', PING_FRAME],
  ['settings', SETTINGS_FRAME],
])(
  'a gRPC server that sends %s endlessly is down long before the timeout',
  async (_name, frame) => {
    const play = sayForEver(Buffer.from(SETTINGS_FRAME, 'hex').toString('latin1'), thousand(frame));
    const { port, close } = await startTarget({ begins: 'connected', play });
    const outcome = await check({ port });
    await close();
    expect(outcome.failure).toEqual({
      code: 'invalid_response',
      message: 'The server sent too many pings or settings.',
      phase: 'ttfb',
    });
  },
);

test('a server with TLS but without HTTP/2 fails the gRPC check with that reason', async () => {
  const target = { begins: 'connected', play: quiet, tls: certificate('good') } as const;
  const { port, close } = await startTarget(target);
  const outcome = await check({ port, useTls: true });
  await close();
  expect(outcome.failure).toMatchObject({
    code: 'invalid_response',
    message: expect.stringContaining('did not accept h2'),
  });
});

test('a gRPC check of a private target is refused before anything is sent', async () => {
  const strict = buildKindRunner({ allowedPrivateTargets: [] });
  const outcome = await strict.runStep(kindDefinition(grpcStep({})), 0, { slotMs: 0 });
  await strict.close();
  expect(outcome).toMatchObject({ failure: { code: 'blocked_target' }, response: null });
});
