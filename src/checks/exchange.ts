/** One HTTP/1.1 request and its response on an open connection, which is never reused. */
import type { Socket } from 'node:net';
import type { Deadline } from './deadline';
import { createClosedFailure, toSocketFailure } from './exchange-failure';
import type { ResponseHead } from './http/response-head';
import { createResponseReader, type ResponseReader } from './http/response-reader';
import { type WireRequest, writeRequest } from './http/write-request';
import type { PhaseClock } from './phase-clock';

export interface ExchangeContext {
  readonly socket: Socket;
  /** The TCP socket below TLS. */
  readonly plain: Socket;
  readonly clock: PhaseClock;
  readonly deadline: Deadline;
  /** Called at most once: with all headers, or with the headers that arrived before the exchange failed. */
  readonly onHead: (head: ResponseHead) => void;
  /** Called for each chunk of the body as it arrives. Returns false to stop reading. */
  readonly onData: (chunk: Buffer) => boolean;
}

/**
 * True if the other side closed the connection cleanly. Node also reports a normal end after a reset. A write shows the
 * difference, because a socket that was reset refuses the write.
 */
function isOrderly(plain: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    plain.write('', (error) => resolve(error === null || error === undefined));
  });
}

/** Reads until the response is complete. Rejects with StepFailure. */
function readResponse(
  { socket, plain }: Pick<ExchangeContext, 'socket' | 'plain'>,
  reader: ResponseReader,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isComplete = false;
    const onEnd = async (): Promise<void> => {
      if (!reader.end()) reject(createClosedFailure(reader));
      else if (await isOrderly(plain)) resolve();
      else reject(toSocketFailure({ code: 'ECONNRESET' }, reader));
    };
    socket.on('data', (bytes: Buffer) => {
      try {
        isComplete = reader.push(bytes);
        if (isComplete) resolve();
      } catch (error) {
        reject(error);
        socket.destroy();
      }
    });
    socket.once('end', () => void onEnd());
    socket.once('error', (error) => reject(toSocketFailure(error, reader)));
    // The close is handled one turn of the event loop later. If an error occurs at the same time, the error is handled
    // first.
    socket.once('close', () => {
      if (!isComplete) setImmediate(() => reject(createClosedFailure(reader)));
    });
    if (socket.destroyed) reject(createClosedFailure(reader));
  });
}

/** Sends the request and resolves when the response is complete. Rejects with StepFailure. */
export async function exchange(request: WireRequest, context: ExchangeContext): Promise<void> {
  const { socket, clock, deadline, onHead, onData } = context;
  let isHeadGiven = false;
  const giveHead = (head: ResponseHead | null): void => {
    if (isHeadGiven || head === null) return;
    isHeadGiven = true;
    onHead(head);
  };
  const reader = createResponseReader(request.method, {
    onHead: (head) => {
      clock.enter('download');
      giveHead(head);
    },
    onData,
  });
  clock.enter('send');
  try {
    const reading = readResponse(context, reader);
    socket.write(writeRequest(request));
    clock.enter('ttfb');
    await deadline.within(reading, () => socket.destroy());
  } finally {
    giveHead(reader.head());
    socket.destroy();
  }
}
