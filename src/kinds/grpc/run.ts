/**
 * Runs one gRPC check: calls `grpc.health.v1.Health/Check` over HTTP/2, on a connection checked by the target guard.
 */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
} from 'node:http2';
import type { Socket } from 'node:net';
import { createBodyCollector } from '../../checks/collect-body';
import { requireTrust } from '../../checks/open-connection';
import { readErrorCode, StepFailure } from '../../checks/step-failure';
import type { GrpcSettings } from '../../contracts/kinds';
import type { AssertionOutcome } from '../../contracts/outcome';
import { cutText } from '../../domain/text/cut-text';
import { judge } from '../judge';
import { connectTo, type Probing, upgradeToTls } from '../probing';
import { formatAuthority } from '../words';
import { describeGrpcStatus, frameRequest, readGrpcMessage, readServingStatus } from './output';

/** Limit of the response in bytes. The limit is generous: the message of the health service has only two bytes. */
const RESPONSE_BYTES_MAX = 4 * 1024;
const MESSAGE_LENGTH_MAX = 300;
/** Limit for PING and SETTINGS frames. No well-behaved server sends so many during a check. */
const CONTROL_FRAMES_MAX = 100;
const SERVING = 'SERVING';

export async function runGrpc(settings: GrpcSettings, probing: Probing): Promise<void> {
  const { host, port, useTls, serverName } = settings;
  const plain = await connectTo({ host, port }, probing);
  try {
    const secure = { host: serverName ?? host, protocol: null, offered: ['h2'] };
    const socket = useTls ? await secureForHttp2(plain, secure, probing) : plain;
    const response = await call(socket, settings, probing);
    judgeResponse(response, settings, probing);
  } finally {
    plain.destroy();
  }
}

async function secureForHttp2(
  plain: Socket,
  secure: Parameters<typeof upgradeToTls>[1],
  probing: Probing,
): Promise<Socket> {
  const secured = requireTrust(await upgradeToTls(plain, secure, probing));
  if (secured.alpnProtocol === 'h2') return secured;
  const message =
    'The server does not speak HTTP/2 here, which gRPC needs: it did not accept h2 by ALPN.';
  throw new StepFailure('invalid_response', message, 'tls');
}

interface GrpcResponse {
  readonly httpStatus: number;
  readonly contentType: string;
  /** The gRPC status. null if it is missing or not a number. */
  readonly status: number | null;
  readonly message: string;
  readonly body: Buffer;
}

async function call(
  socket: Socket,
  settings: GrpcSettings,
  probing: Probing,
): Promise<GrpcResponse> {
  const { host, port, useTls, serverName } = settings;
  const { clock, deadline } = probing;
  clock.enter('ttfb');
  const authority = formatAuthority(serverName ?? host, port);
  const session = connect(`${useTls ? 'https' : 'http'}://${authority}`, {
    createConnection: () => socket,
    settings: { enablePush: false },
  });
  // `ask` handles errors. This listener only prevents an unhandled error.
  session.on('error', () => undefined);
  // The socket is watched, because the session may not notice that the server has closed the
  // connection.
  socket.once('end', () => setImmediate(() => session.destroy()));
  try {
    return await deadline.within(ask(session, settings, probing), () => session.destroy());
  } finally {
    session.destroy();
  }
}

function ask(
  session: ClientHttp2Session,
  { service }: GrpcSettings,
  { userAgent, clock }: Probing,
): Promise<GrpcResponse> {
  return new Promise((resolve, reject) => {
    const body = createBodyCollector(RESPONSE_BYTES_MAX);
    let head: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    session.once('error', (error) => reject(toFailure(error)));
    session.once('close', () => reject(closedFailure()));
    let controlFrames = 0;
    const count = (): void => {
      controlFrames += 1;
      if (controlFrames >= CONTROL_FRAMES_MAX) reject(floodFailure());
    };
    session.on('ping', count).on('remoteSettings', count);
    const stream: ClientHttp2Stream = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
      'user-agent': userAgent,
    });
    stream.on('error', (error) => reject(toFailure(error)));
    stream.on('response', (headers) => {
      clock.enter('download');
      head = headers;
    });
    stream.on('trailers', (headers) => {
      trailers = headers;
    });
    stream.on('data', (piece: Buffer) => {
      if (body.add(piece)) return;
      reject(new StepFailure('body_too_large', 'The response is longer than 4 KiB.', 'download'));
      session.destroy();
    });
    stream.on('end', () => {
      if (head[':status'] !== undefined) resolve(readResponse(head, trailers, body.bytes()));
    });
    // The rejection has no effect if the stream has already ended normally.
    stream.on('close', () => reject(closedFailure()));
    stream.end(frameRequest(service ?? ''));
  });
}

function readResponse(
  head: IncomingHttpHeaders,
  trailers: IncomingHttpHeaders,
  body: Buffer,
): GrpcResponse {
  // If a response consists only of trailers, the trailers arrive as the headers.
  const status = String(trailers['grpc-status'] ?? head['grpc-status'] ?? '');
  const message = String(trailers['grpc-message'] ?? head['grpc-message'] ?? '');
  return {
    httpStatus: Number(head[':status'] ?? 0),
    contentType: head['content-type'] ?? '',
    status: /^\d{1,3}$/.test(status) ? Number(status) : null,
    message: cutText(readGrpcMessage(message), MESSAGE_LENGTH_MAX),
    body,
  };
}

const RESET = /NGHTTP2_(\w+)/;

function toFailure(error: Error): StepFailure {
  const code = readErrorCode(error);
  if (code === 'ERR_HTTP2_STREAM_ERROR') {
    const [, reason = 'an unknown code'] = RESET.exec(error.message) ?? [];
    return new StepFailure('connection_reset', `The server reset the call with ${reason}.`, 'ttfb');
  }
  if (code.startsWith('ERR_SSL_'))
    return new StepFailure('tls_error', 'The TLS connection broke.', 'ttfb');
  // Node has its own limit for frames, and reports it with this message.
  if (/^flooding/i.test(error.message)) return floodFailure();
  if (code.startsWith('ERR_HTTP2_'))
    return new StepFailure(
      'invalid_response',
      'The server does not speak HTTP/2, which gRPC needs.',
      'ttfb',
    );
  return new StepFailure('connection_reset', 'The connection was reset.', 'ttfb');
}

function floodFailure(): StepFailure {
  const message = 'The server sent too many pings or settings.';
  return new StepFailure('invalid_response', message, 'ttfb');
}

function closedFailure(): StepFailure {
  const message = 'The connection was closed without a response.';
  return new StepFailure('connection_reset', message, 'ttfb');
}

function judgeResponse(response: GrpcResponse, settings: GrpcSettings, { found }: Probing): void {
  const { httpStatus, contentType, status, message, body } = response;
  found.bytes = body.length;
  found.response = describe(response);
  if (httpStatus !== 200 || !/^application\/grpc(?:[+;]|$)/i.test(contentType))
    throw invalid(`The server responded with the HTTP status ${httpStatus} instead of gRPC.`);
  if (status === null) throw invalid('The response has no gRPC status.');
  if (status === 12)
    throw invalid('The server has no health service: grpc.health.v1.Health is UNIMPLEMENTED.');
  if (status === 5) throw invalid(`The server does not know ${formatName(settings)}: NOT_FOUND.`);
  if (status !== 0) {
    const said = message === '' ? '' : `: ${message}`;
    throw invalid(`The server responded with ${describeGrpcStatus(status)}${said}.`);
  }
  const serving = readServingStatus(body);
  if (serving === null) throw invalid('The response is not from the health service.');
  found.facts = { status: serving };
  found.assertions = [judgeHealth(serving, settings)];
}

function invalid(message: string): StepFailure {
  return new StepFailure('invalid_response', message, 'download');
}

function formatName({ service }: GrpcSettings): string {
  return service === null ? 'the whole server' : `the service ${service}`;
}

function judgeHealth(serving: string, settings: GrpcSettings): AssertionOutcome {
  return judge({
    type: 'body',
    target: 'status',
    operator: 'equals',
    ok: serving === SERVING,
    actual: serving,
    expected: SERVING,
    message: `The server reports ${serving} for ${formatName(settings)}.`,
  });
}

/** Describes the status of the call and the response of the health service. */
function describe({ httpStatus, status, message, body }: GrpcResponse): string {
  const called = status === null ? `HTTP ${httpStatus}` : describeGrpcStatus(status);
  const said = status === 0 ? (readServingStatus(body) ?? '') : message;
  return [called, said].filter((line) => line !== '').join('\n');
}
