/** Runs one WebSocket check. Upgrades the connection, may send a message, and reads until a message is as expected. */
import type { Socket } from 'node:net';
import WebSocket from 'ws';
import { requireTrust } from '../../checks/open-connection';
import { readErrorCode, StepFailure } from '../../checks/step-failure';
import { readHost, readPort } from '../../checks/target-guard';
import type { WebSocketSettings } from '../../contracts/kinds';
import { cutText } from '../../domain/text/cut-text';
import { matchText } from '../match-text';
import { connectTo, type Probing, upgradeToTls } from '../probing';
import { createSignal } from '../signal';
import { buildFacts, type Closed, describeClose, describeMessages } from './output';

/** Limit for one message, and for all messages together. */
const MESSAGE_BYTES_MAX = 64 * 1024;
const MESSAGES_MAX = 100;
/** Limit for pings and pongs. No well-behaved server sends so many during a check. */
const CONTROL_FRAMES_MAX = 1_000;
/** Limit of fragments per message. */
const FRAGMENTS_MAX = 1_000;
const STATUS_LENGTH_MAX = 100;

export async function runWebSocket(settings: WebSocketSettings, probing: Probing): Promise<void> {
  const { send: message, expect } = settings;
  const headers = headersFor(settings, probing);
  const url = new URL(settings.url);
  const host = readHost(url);
  const endpoint = { host, port: readPort(url), lookedUp: url.hostname };
  const plain = await connectTo(endpoint, probing);
  try {
    const secure = { host, protocol: null, offered: ['http/1.1'] };
    const socket =
      url.protocol === 'wss:' ? requireTrust(await upgradeToTls(plain, secure, probing)) : plain;
    await converse(socket, { settings, headers, message, expect }, probing);
  } finally {
    plain.destroy();
  }
}

function headersFor(
  { headers }: WebSocketSettings,
  { userAgent }: Probing,
): Record<string, string> {
  const isNamed = headers.some(({ name }) => name.toLowerCase() === 'user-agent');
  return Object.fromEntries([
    ...(isNamed ? [] : [['User-Agent', userAgent]]),
    ...headers.map(({ name, value }) => [name, value]),
  ]);
}

interface Talk {
  readonly settings: WebSocketSettings;
  readonly headers: Record<string, string>;
  readonly message: string | null;
  readonly expect: string | null;
}

async function converse(socket: Socket, talk: Talk, probing: Probing): Promise<void> {
  const { clock, deadline, found } = probing;
  clock.enter('ttfb');
  const connection = open(socket, talk);
  const received = receive(connection);
  const end = (): void => connection.terminate();
  try {
    await deadline.within(upgrade(connection, probing), end);
    if (talk.message !== null) {
      clock.enter('send');
      await deadline.within(sendMessage(connection, talk.message), end);
    }
    if (talk.expect === null) return;
    clock.enter('download');
    try {
      await awaitMessage(received, talk.expect, probing);
    } finally {
      found.response = describeMessages(received);
      found.facts = buildFacts(received);
      found.bytes = received.bytes;
      found.isCut = received.isCut;
    }
  } finally {
    await leave(connection);
  }
}

function open(socket: Socket, { settings, headers }: Talk): WebSocket {
  const { url, subprotocol } = settings;
  return new WebSocket(url, subprotocol === null ? [] : [subprotocol], {
    headers,
    createConnection: () => socket,
    // Compression is off, so that a message cannot grow while it is read.
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
    maxFragments: FRAGMENTS_MAX,
    followRedirects: false,
  });
}

function upgrade(connection: WebSocket, { found }: Probing): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once('open', resolve);
    connection.once('error', (error) => reject(upgradeFailure(error)));
    connection.once('unexpected-response', (request, { statusCode, statusMessage = '' }) => {
      request.destroy();
      found.response = cutText(`HTTP ${statusCode} ${statusMessage}`.trim(), STATUS_LENGTH_MAX);
      const message = `The server did not upgrade the connection: it responded with the status ${statusCode}.`;
      reject(new StepFailure('invalid_response', message, 'ttfb'));
    });
  });
}

function upgradeFailure(error: Error): StepFailure {
  const code = readErrorCode(error);
  if (code.startsWith('HPE_')) {
    const message = 'The server does not speak HTTP, which a WebSocket starts with.';
    return new StepFailure('invalid_response', message, 'ttfb');
  }
  if (code === '') {
    const message = `The server did not upgrade the connection properly: ${lowerFirst(error.message)}.`;
    return new StepFailure('invalid_response', message, 'ttfb');
  }
  return brokenFailure(error, 'ttfb');
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function brokenFailure(error: Error, phase: 'ttfb' | 'download'): StepFailure {
  const code = readErrorCode(error);
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
    return new StepFailure('body_too_large', 'A message is longer than 64 KiB.', phase);
  if (code.startsWith('WS_ERR_')) {
    const message = `The server violated the WebSocket protocol: ${lowerFirst(error.message)}.`;
    return new StepFailure('invalid_response', message, phase);
  }
  return code.startsWith('ERR_SSL_')
    ? new StepFailure('tls_error', 'The TLS connection broke.', phase)
    : new StepFailure('connection_reset', 'The connection was reset.', phase);
}

function sendMessage(connection: WebSocket, message: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.send(message, (error) => {
      if (error == null) resolve();
      else reject(brokenFailure(error, 'download'));
    });
  });
}

/** Everything that was received since the upgrade. */
interface Received {
  readonly messages: string[];
  bytes: number;
  /** True if more was received than was kept. */
  isCut: boolean;
  failure: StepFailure | null;
  closed: Closed | null;
  /** Resolves as soon as a message has arrived or the connection has ended. */
  readonly next: () => Promise<void>;
}

function receive(connection: WebSocket): Received {
  const { notify, next } = createSignal();
  const received: Received = {
    messages: [],
    bytes: 0,
    isCut: false,
    failure: null,
    closed: null,
    next,
  };
  let controlFrames = 0;
  const count = (): void => {
    controlFrames += 1;
    if (controlFrames !== CONTROL_FRAMES_MAX) return;
    const message = 'The server sent too many pings.';
    received.failure ??= new StepFailure('invalid_response', message, 'download');
    connection.terminate();
    notify();
  };
  connection.on('message', (data) => {
    const bytes = toBuffer(data);
    const isFull =
      received.messages.length >= MESSAGES_MAX || received.bytes + bytes.length > MESSAGE_BYTES_MAX;
    if (isFull || received.isCut) {
      received.isCut = true;
      connection.terminate();
    } else {
      received.messages.push(new TextDecoder().decode(bytes));
      received.bytes += bytes.length;
    }
    notify();
  });
  connection.on('ping', count).on('pong', count);
  connection.on('error', (error) => {
    received.failure ??= brokenFailure(error, 'download');
    notify();
  });
  connection.on('close', (code, reason) => {
    received.closed ??= { code, reason: reason.toString() };
    notify();
  });
  return received;
}

function toBuffer(data: WebSocket.RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

/** Matches each message as it arrives. The last match becomes the outcome of the assertion. */
async function awaitMessage(received: Received, expect: string, probing: Probing): Promise<void> {
  const { deadline, found } = probing;
  for (let index = 0; ; index += 1) {
    const isThere = await deadline
      .within(hasMessage(received, index), () => undefined)
      .catch((failure: unknown) => {
        // Messages that do not match are more informative than a timeout. The mismatch is therefore reported.
        if (index > 0 && !hasBroken(received)) return false;
        throw failure;
      });
    if (!isThere) return;
    const text = received.messages[index] ?? '';
    const outcome = await matchText({ text, pattern: expect }, probing);
    found.assertions = [outcome];
    if (outcome.ok) return;
  }
}

/**
 * Waits for the message at this index. Resolves to false if no more messages will come. Rejects with StepFailure if the
 * connection has failed, or was closed before the first message.
 */
async function hasMessage(received: Received, index: number): Promise<boolean> {
  while (received.messages.length <= index) {
    const { isCut, failure, closed } = received;
    if (isCut) return false;
    if (failure !== null) throw failure;
    if (closed !== null && (index === 0 || hasBroken(received))) throw closedFailure(closed);
    if (closed !== null) return false;
    await received.next();
  }
  return true;
}

/** Close codes of a server that closes normally. */
const ORDERLY: readonly number[] = [1000, 1001, 1005];

function hasBroken({ failure, closed }: Received): boolean {
  return failure !== null || (closed !== null && !ORDERLY.includes(closed.code));
}

function closedFailure(closed: Closed): StepFailure {
  const { code } = closed;
  let message = `The server closed the connection with ${describeClose(closed)}`;
  if (code === 1005) message = 'The server closed the connection without a code';
  if (code === 1006) message = 'The connection ended without a close frame';
  return new StepFailure('connection_reset', `${message}.`, 'download');
}

/** Sends a close frame if the connection is open. Does not wait for the server's close frame. */
async function leave(connection: WebSocket): Promise<void> {
  if (connection.readyState === WebSocket.OPEN) {
    connection.close(1000);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  connection.terminate();
}
