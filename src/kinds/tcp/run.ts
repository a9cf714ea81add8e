/** Runs one TCP check: connects, switches to TLS if configured, sends, and waits for the expected response. */
import type { Socket } from 'node:net';
import { type BodyCollector, createBodyCollector } from '../../checks/collect-body';
import { requireTrust } from '../../checks/open-connection';
import { readErrorCode, StepFailure } from '../../checks/step-failure';
import type { TcpSettings } from '../../contracts/kinds';
import { matchText } from '../match-text';
import { connectTo, type Probing, upgradeToTls } from '../probing';
import { createSignal } from '../signal';

const RESPONSE_BYTES_MAX = 64 * 1024;
/**
 * The pause in milliseconds before a partial response is matched again. It doubles up to `most`. The pauses prevent a
 * slow target from occupying a thread.
 */
const LOOK_AGAIN_MS = { first: 5, most: 100 };

export async function runTcp(settings: TcpSettings, probing: Probing): Promise<void> {
  const bytes = bytesToSend(settings);
  const { host, port, useTls, startTls, expect } = settings;
  const plain = await connectTo({ host, port }, probing);
  try {
    const isSecure = useTls || startTls !== null;
    const socket = isSecure
      ? requireTrust(await upgradeToTls(plain, { host, protocol: startTls }, probing))
      : plain;
    await converse(socket, { bytes, expect }, probing);
  } finally {
    plain.destroy();
  }
}

function bytesToSend({ send, sendBase64 }: TcpSettings): Buffer | null {
  if (sendBase64 !== null) return Buffer.from(sendBase64, 'base64');
  return send === null ? null : Buffer.from(send);
}

interface Talk {
  readonly bytes: Buffer | null;
  readonly expect: string | null;
}

async function converse(socket: Socket, { bytes, expect }: Talk, probing: Probing): Promise<void> {
  const { clock, deadline } = probing;
  const listening = expect === null ? null : listen(socket);
  if (bytes !== null) {
    clock.enter('send');
    await deadline.within(write(socket, bytes), () => socket.destroy());
  }
  if (expect === null || listening === null) return;
  clock.enter('ttfb');
  try {
    await awaitResponse(listening, expect, probing);
  } finally {
    const { received } = listening;
    probing.found.response = decodeText(received);
    probing.found.bytes = received.bytes().length;
    probing.found.isCut = listening.isCut;
    probing.found.isOpen = listening.end !== null;
  }
}

function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(resetFailure('')));
    socket.write(bytes, (error) => {
      if (error == null) resolve();
      else reject(resetFailure(readErrorCode(error)));
    });
  });
}

function resetFailure(code: string): StepFailure {
  return code.startsWith('ERR_SSL_')
    ? new StepFailure('tls_error', 'The TLS connection broke.', 'ttfb')
    : new StepFailure('connection_reset', 'The connection was reset.', 'ttfb');
}

/** Everything that was received since the connection was opened. */
interface Listening {
  readonly received: BodyCollector;
  isCut: boolean;
  /** The end of the connection. undefined means that the connection is open, and null that it was closed cleanly. */
  end: StepFailure | null | undefined;
  /** Resolves as soon as new data has arrived or the connection has ended. */
  readonly changed: () => Promise<void>;
}

function listen(socket: Socket): Listening {
  const { notify, next } = createSignal();
  const listening: Listening = {
    received: createBodyCollector(RESPONSE_BYTES_MAX),
    isCut: false,
    end: undefined,
    changed: next,
  };
  const finish = (end: StepFailure | null): void => {
    listening.end ??= end;
    notify();
  };
  socket.on('data', (piece: Buffer) => {
    if (!listening.received.add(piece)) {
      listening.isCut = true;
      socket.pause();
    }
    notify();
  });
  socket.on('error', (error) => finish(resetFailure(readErrorCode(error))));
  socket.once('end', () => finish(null));
  socket.once('close', () => finish(null));
  return listening;
}

/**
 * Matches the received text again each time more of it arrives. The last match becomes the outcome of the assertion.
 */
async function awaitResponse(
  listening: Listening,
  expect: string,
  probing: Probing,
): Promise<void> {
  const { deadline, clock, found } = probing;
  let pauseMs = LOOK_AGAIN_MS.first;
  for (;;) {
    const change = listening.changed();
    const { end, isCut } = listening;
    const length = listening.received.bytes().length;
    if (length > 0) {
      clock.enter('download');
      const outcome = await matchText(
        { text: decodeText(listening.received), pattern: expect, isCut, isOpen: end !== null },
        probing,
      );
      found.assertions = [outcome];
      if (outcome.ok || isCut || end === null) return;
    }
    if (end !== undefined) throw end ?? closedFailure();
    const isOver = await deadline
      .within(change, () => undefined)
      .then(
        () => false,
        (failure: unknown) => {
          // A response that does not match is more informative than a timeout. The mismatch is therefore reported.
          if (length > 0) return true;
          throw failure;
        },
      );
    if (isOver) return;
    if (length === 0) continue;
    await deadline.within(pause(pauseMs), () => undefined).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, LOOK_AGAIN_MS.most);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function closedFailure(): StepFailure {
  const message = 'The connection was closed without a response.';
  return new StepFailure('connection_reset', message, 'ttfb');
}

function decodeText(received: BodyCollector): string {
  return new TextDecoder().decode(received.bytes());
}
