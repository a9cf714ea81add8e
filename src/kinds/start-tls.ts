/**
 * The dialogue of a protocol before its connection switches to TLS (RFC 3207, 2595, 4511; PostgreSQL's SSLRequest).
 * Bytes that arrive before TLS are never treated as encrypted data.
 */
import type { Socket } from 'node:net';
import type { Deadline } from '../checks/deadline';
import { StepFailure } from '../checks/step-failure';
import type { StartTlsProtocol } from '../contracts/kinds';
import { cutText } from '../domain/text/cut-text';

/** The limit of a reply before TLS. No server sends that much. */
const REPLY_BYTES_MAX = 16 * 1024;
const SHOWN_LENGTH_MAX = 200;

/** Returns the length of the first complete reply. null means that the reply is not complete yet. */
type FindEnd = (bytes: Buffer) => number | null;

interface Turn {
  /** The bytes to send first. null means that the server sends first. */
  readonly send: Buffer | null;
  readonly findEnd: FindEnd;
  readonly isGood: (reply: Buffer) => boolean;
}

function lineTurn(send: string | null, last: RegExp, good: RegExp): Turn {
  return {
    send: send === null ? null : Buffer.from(`${send}\r\n`),
    findEnd: (bytes) => {
      const found = last.exec(bytes.toString('latin1'));
      return found === null ? null : found.index + found[0].length;
    },
    isGood: (reply) => good.test(reply.toString('latin1')),
  };
}

/** Matches the last line of a reply, which has a space after its code. */
const SMTP_END = /^\d{3}(?: [^\n]*)?\r?\n/m;
const LINE_END = /^[^\n]*\n/;

/** The request for TLS: message 1, ExtendedRequest 1.3.6.1.4.1.1466.20037. */
const LDAP_REQUEST = Buffer.concat([
  Buffer.from('301d02010177188016', 'hex'),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
]);
const POSTGRES_REQUEST = Buffer.from('0000000804d2162f', 'hex');

/** Returns the length of one BER element. null means that it is not complete yet. */
function findBerEnd(bytes: Buffer): number | null {
  const [, first] = bytes;
  if (first === undefined) return null;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4 || bytes.length < 2 + lengthBytes) return null;
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(2, lengthBytes);
  return bytes.length < 2 + lengthBytes + length ? null : 2 + lengthBytes + length;
}

/** True for an ExtendedResponse whose result code is success. */
function isLdapSuccess(reply: Buffer): boolean {
  return reply[0] === 0x30 && reply.includes(0x78) && reply.includes(Buffer.from('0a0100', 'hex'));
}

const TURNS: Readonly<Record<StartTlsProtocol, readonly Turn[]>> = {
  smtp: [
    lineTurn(null, SMTP_END, /^220[ -]/),
    lineTurn('EHLO keepwatch', SMTP_END, /^250[ -]/),
    lineTurn('STARTTLS', SMTP_END, /^220[ \r]/),
  ],
  imap: [
    lineTurn(null, LINE_END, /^\* (?:OK|PREAUTH)\b/i),
    lineTurn('a1 STARTTLS', /^a1 [^\n]*\n/im, /^a1 OK\b/im),
  ],
  pop3: [lineTurn(null, LINE_END, /^\+OK\b/), lineTurn('STLS', LINE_END, /^\+OK\b/)],
  postgres: [
    {
      send: POSTGRES_REQUEST,
      findEnd: (bytes) => (bytes.length > 0 ? 1 : null),
      isGood: (reply) => reply.toString('latin1') === 'S',
    },
  ],
  ldap: [{ send: LDAP_REQUEST, findEnd: findBerEnd, isGood: isLdapSuccess }],
};

/** Reads the next complete reply. Rejects with StepFailure if more bytes follow it. */
function readReply(socket: Socket, findEnd: FindEnd): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const stop = (): void => {
      socket.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onEnd);
      socket.pause();
    };
    const fail = (failure: StepFailure): void => {
      stop();
      reject(failure);
    };
    const onEnd = (): void => {
      const message = 'The connection was closed before TLS started.';
      fail(new StepFailure('connection_reset', message, 'tls'));
    };
    const onData = (piece: Buffer): void => {
      bytes = Buffer.concat([bytes, piece]);
      const end = findEnd(bytes);
      if (end === null && bytes.length <= REPLY_BYTES_MAX) return;
      if (end === bytes.length) {
        stop();
        resolve(bytes);
        return;
      }
      const message = 'The server sent more than its reply before TLS started.';
      fail(new StepFailure('tls_error', message, 'tls'));
    };
    socket.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd);
    if (socket.destroyed || socket.readableEnded) onEnd();
    else socket.resume();
  });
}

function refusal(reply: Buffer): StepFailure {
  const plain = reply
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim();
  const said = cutText(plain, SHOWN_LENGTH_MAX);
  return new StepFailure('tls_error', `The server did not start TLS: ${said}`, 'tls');
}

/**
 * Asks the server to switch to TLS. Resolves when the handshake may start. Rejects with StepFailure if the server
 * refuses TLS or does not reply correctly in time.
 */
export async function startTls(
  socket: Socket,
  protocol: StartTlsProtocol,
  deadline: Deadline,
): Promise<void> {
  for (const { send, findEnd, isGood } of TURNS[protocol]) {
    if (send !== null) socket.write(send);
    const reply = await deadline.within(readReply(socket, findEnd), () => socket.destroy());
    if (!isGood(reply)) throw refusal(reply);
  }
}
