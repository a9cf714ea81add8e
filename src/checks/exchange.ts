/**
 * One request and its response on a connection that is already open, by undici over HTTP/1.1. The
 * connection is never used twice. It follows no redirect and decodes nothing.
 */
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { HttpMethod, NamedValue } from '../contracts/definition';
import type { Deadline } from './deadline';
import { closedFailure, excessFailure, exchangeFailure } from './exchange-failure';
import type { PhaseClock } from './phase-clock';
import { errorCodeOf, type StepFailure } from './step-failure';
import { watchResponse } from './watch-response';

const HEADERS_BYTES_MAX = 16 * 1024;
/** One for all, since undici would make one for each client, with a stack that nobody reads. */
const OVER = new Error('the exchange is over');
/** They may name the length of a body that they never have (RFC 9110 §8.6). */
const BODILESS_STATUSES = new Set([204, 304]);

export interface WireRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  readonly headers: readonly NamedValue[];
  readonly body: Buffer | null;
}

export interface ResponseHead {
  readonly status: number;
  readonly httpVersion: string;
  /**
   * Names in lower case; several lines of one name are joined by a comma, those of `set-cookie` by a
   * line break, since a cookie may hold a comma (RFC 9110 §5.3).
   */
  readonly headers: ReadonlyMap<string, string>;
  /** Each line for itself. */
  readonly lines: readonly NamedValue[];
}

export interface ExchangeContext {
  readonly socket: Socket;
  readonly clock: PhaseClock;
  readonly deadline: Deadline;
  readonly onHead: (head: ResponseHead) => void;
  /** Called for each piece of the body as it comes; may throw StepFailure to end the exchange. */
  readonly onData: (chunk: Buffer) => void;
}

function collectHeaders(given: Readonly<Record<string, string | string[] | undefined>>) {
  const headers = new Map<string, string>();
  const lines: NamedValue[] = [];
  for (const [original, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const name = original.toLowerCase();
    const values = Array.isArray(value) ? value : [value];
    headers.set(name, values.join(name === 'set-cookie' ? '\n' : ', '));
    lines.push(...values.map((one) => ({ name, value: one })));
  }
  return { headers, lines };
}

interface Listening {
  readonly context: ExchangeContext;
  readonly resolve: () => void;
  readonly reject: (failure: StepFailure) => void;
}

/** Listens to one response; whatever goes wrong on the way is told once, as a failure. */
function createListener({ context, resolve, reject }: Listening) {
  const { socket, clock } = context;
  let status: number | null = null;
  let bodyBytes = 0;
  let isOver = false;
  const reading = watchResponse(socket, {
    bodyBytes: () => bodyBytes,
    onExcess: () => {
      reject(excessFailure(progress()));
      socket.destroy();
    },
  });

  function progress() {
    return { hasBytes: reading.hasBytes(), hasHead: status !== null };
  }

  function fail(error: unknown): void {
    const isComplete =
      errorCodeOf(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' &&
      BODILESS_STATUSES.has(status ?? 0);
    if (isComplete) resolve();
    else reject(exchangeFailure(error, progress()));
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => clock.enter('ttfb'),
    onResponseStart: (_controller, code, headers) => {
      if (code < 200) return;
      status = code;
      clock.enter('download');
      const httpVersion = reading.httpVersion();
      context.onHead({ status, httpVersion, ...collectHeaders(headers) });
    },
    onResponseData: (_controller, chunk) => {
      bodyBytes += chunk.length;
      try {
        context.onData(chunk);
      } catch (error) {
        fail(error);
        socket.destroy();
      }
    },
    onResponseEnd: () => {
      isOver = true;
      // Before undici does it, with an error whose stack is put into words and that nobody reads.
      socket.destroy();
      resolve();
    },
    onResponseError: (_controller, error) => fail(error),
  };
  const onClose = (): void => {
    if (!isOver) reject(closedFailure(progress()));
  };
  return { handler, onClose };
}

function requestOptions({ method, url, headers, body }: WireRequest): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: headers.flatMap(({ name, value }) => [name, value]),
    body,
    reset: true,
  };
}

/** Sends the request and resolves when the response is complete; rejects with StepFailure. */
export async function exchange(request: WireRequest, context: ExchangeContext): Promise<void> {
  const { socket, clock, deadline } = context;
  const client = new Client(request.url.origin, {
    // Not at once: undici is in the middle of its queue and would not look at it again.
    connect: (_options, callback) => queueMicrotask(() => callback(null, socket)),
    maxHeaderSize: HEADERS_BYTES_MAX,
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
  });
  clock.enter('send');
  const ended = new Promise<void>((resolve, reject) => {
    const { handler, onClose } = createListener({ context, resolve, reject });
    // A socket that ended before undici took it over would otherwise end nothing.
    socket.once('close', () => setImmediate(onClose));
    if (socket.destroyed) onClose();
    else client.dispatch(requestOptions(request), handler);
  });
  try {
    await deadline.within(ended, () => socket.destroy());
  } finally {
    socket.destroy();
    void client.destroy(OVER);
  }
}
