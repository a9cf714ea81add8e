/**
 * Sends one HTTP/2 request and reads its response on an open connection, which is never reused. Node's client is loaded
 * only when a server uses HTTP/2.
 */
import type * as Http2 from 'node:http2';
import type { Socket } from 'node:net';
import type { ExchangeContext } from '../exchange';
import { createClosedFailure } from '../exchange-failure';
import { findFraming, type ResponseHead } from '../http/response-head';
import { HEAD_BYTES_MAX, HEAD_TOO_LARGE } from '../http/response-reader';
import type { WireRequest } from '../http/write-request';
import { StepFailure } from '../step-failure';
import { createFloodFailure, type Http2Progress, toHttp2Failure } from './failures';
import { buildRequestHeaders, countHeadBytes, readResponseHead } from './headers';

/** How many PING, SETTINGS and ORIGIN frames a server may send. A server that works correctly sends fewer. */
const CONTROL_FRAMES_MAX = 300;
/**
 * How many bytes a server may send. This is enough for headers and a body of the maximum size, even in the smallest
 * frames.
 */
const RECEIVED_BYTES_MAX = 16 * 1024 * 1024;
const RECEIVED_BYTES_CHECKED_MS = 200;
/** The size of the receive window. It is so large that the server never waits for a WINDOW_UPDATE. */
const WINDOW_BYTES = 1024 * 1024 + 64 * 1024;
/**
 * The memory limit of a session, the smallest that Node accepts. It stops compressed headers that would expand to many
 * megabytes.
 */
const SESSION_MEGABYTES_MAX = 1;
/** The smallest size of one header in HTTP/2: a name, a value, and 32 bytes that are always added (RFC 9113 §6.5.2). */
const HEADER_BYTES_MIN = 34;

function openSession(
  { connect }: typeof Http2,
  { origin }: URL,
  socket: Socket,
): Http2.ClientHttp2Session {
  const session = connect(origin, {
    createConnection: () => socket,
    maxHeaderListPairs: Math.ceil(HEAD_BYTES_MAX / HEADER_BYTES_MIN),
    maxSessionMemory: SESSION_MEGABYTES_MAX,
    settings: {
      enablePush: false,
      initialWindowSize: WINDOW_BYTES,
      maxHeaderListSize: HEAD_BYTES_MAX,
    },
  });
  // `readResponse` handles errors. This listener only prevents an unhandled error.
  session.on('error', () => undefined);
  session.setLocalWindowSize(WINDOW_BYTES);
  return session;
}

/** Sends the request and resolves when the response is complete. Rejects with StepFailure. */
export async function exchangeHttp2(request: WireRequest, context: ExchangeContext): Promise<void> {
  const { socket, plain, clock, deadline } = context;
  const http2 = await import('node:http2');
  clock.enter('send');
  if (socket.destroyed) throw createClosedFailure({ hasBytes: () => false, phase: () => 'ttfb' });
  const session = openSession(http2, request.url, socket);
  const flood = watchReceivedBytes(context);
  try {
    const reading = readResponse(session, request, context);
    clock.enter('ttfb');
    await deadline.within(Promise.race([reading, flood.noticed]), () => session.destroy());
  } finally {
    flood.stop();
    session.destroy();
    // The session itself would stay open until the server has accepted all sent data.
    socket.destroy();
    plain.destroy();
  }
}

/**
 * Watches the number of received bytes. `noticed` rejects with StepFailure once the server has sent more than any
 * response needs.
 */
function watchReceivedBytes({ plain, clock }: Pick<ExchangeContext, 'plain' | 'clock'>) {
  let timer: NodeJS.Timeout | undefined;
  const startedAtBytes = plain.bytesRead;
  const noticed = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (plain.bytesRead - startedAtBytes > RECEIVED_BYTES_MAX)
        reject(createFloodFailure(clock.phase()));
    }, RECEIVED_BYTES_CHECKED_MS);
  });
  return { noticed, stop: () => clearInterval(timer) };
}

interface Received {
  readonly progress: Http2Progress;
  readonly takeInterim: (raw: readonly string[]) => void;
  readonly takeHead: (status: number, raw: readonly string[]) => void;
  /** Takes a chunk of the body. Returns false to stop reading. */
  readonly takeData: (piece: Buffer) => boolean;
  readonly takeEnd: () => void;
  readonly takeControlFrame: () => void;
}

/** Collects the parts of a response as they arrive, and decides when it is complete. */
function createReceived(
  method: string,
  { clock, onHead, onData }: Pick<ExchangeContext, 'clock' | 'onHead' | 'onData'>,
): Received {
  let head: ResponseHead | null = null;
  let [headBytes, bodyBytes, lengthMin, controlFrames] = [0, 0, 0, 0];
  const progress: Http2Progress = {
    isHttp2: () => controlFrames > 0 || headBytes > 0,
    hasBytes: () => head !== null,
    phase: () => (head === null ? 'ttfb' : 'download'),
  };
  const invalid = (message: string) =>
    new StepFailure('invalid_response', message, progress.phase());

  function takeInterim(raw: readonly string[]): void {
    headBytes += countHeadBytes(raw);
    if (headBytes > HEAD_BYTES_MAX) throw invalid(HEAD_TOO_LARGE);
  }

  return {
    progress,
    takeInterim,
    takeHead: (status, raw) => {
      takeInterim(raw);
      const taken = readResponseHead(status, raw);
      const framing = findFraming(taken, method);
      if ('problem' in framing) throw invalid(framing.problem);
      if (framing.kind === 'sized') lengthMin = framing.bytes;
      head = taken;
      clock.enter('download');
      onHead(taken);
    },
    takeData: (piece) => {
      bodyBytes += piece.length;
      return onData(piece);
    },
    // A normal end proves nothing: Node also reports it if the server resets the stream without an error code.
    takeEnd: () => {
      if (head === null || bodyBytes < lengthMin) throw createClosedFailure(progress);
    },
    takeControlFrame: () => {
      controlFrames += 1;
      if (controlFrames > CONTROL_FRAMES_MAX) throw createFloodFailure(progress.phase());
    },
  };
}

/** Reads until the response is complete. Rejects with StepFailure. */
function readResponse(
  session: Http2.ClientHttp2Session,
  request: WireRequest,
  context: ExchangeContext,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const received = createReceived(request.method, context);
    const { progress } = received;
    const fail = (error: Error) => reject(toHttp2Failure(error, progress));
    const close = () => reject(createClosedFailure(progress));
    const attempt = (take: () => void): void => {
      try {
        take();
      } catch (error) {
        reject(error);
      }
    };
    const countFrame = () => attempt(received.takeControlFrame);
    session.on('ping', countFrame).on('remoteSettings', countFrame).on('origin', countFrame);
    session.once('error', fail).once('close', close);
    // Node's session may not notice that the server has closed the connection. `setImmediate` lets the data that has
    // arrived be read first.
    context.socket.once('end', () => setImmediate(close));

    const { body } = request;
    const stream = session.request(buildRequestHeaders(request), { endStream: body === null });
    stream.on('error', fail).on('close', close);
    stream.on('headers', (...given) => attempt(() => received.takeInterim(readRaw(given))));
    stream.on('response', (...given) =>
      attempt(() => {
        received.takeHead(given[0][':status'] ?? 0, readRaw(given));
        readBody(stream, { received, attempt, resolve });
      }),
    );
    if (body !== null) stream.end(body);
  });
}

interface BodyReading {
  readonly received: Received;
  readonly attempt: (take: () => void) => void;
  readonly resolve: () => void;
}

/**
 * Starts to read the body. Call this after the headers have been handled, because data arrives as soon as something
 * listens.
 */
function readBody(
  stream: Http2.ClientHttp2Stream,
  { received, attempt, resolve }: BodyReading,
): void {
  stream.on('data', (piece: Buffer) =>
    attempt(() => {
      if (!received.takeData(piece)) resolve();
    }),
  );
  stream.on('end', () =>
    attempt(() => {
      received.takeEnd();
      resolve();
    }),
  );
}

/** Reads the third argument of a headers event. It lists names and values in turn, including repeated names. */
function readRaw(given: readonly unknown[]): readonly string[] {
  const raw = given[2];
  return Array.isArray(raw) ? raw.filter((part) => typeof part === 'string') : [];
}
