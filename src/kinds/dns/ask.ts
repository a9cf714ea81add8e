/**
 * Sends one question to one name server, over UDP or TCP (RFC 1035, 7766). Drops and counts datagrams that are not a
 * reply to the question.
 */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIPv6, type Socket } from 'node:net';
import * as packets from 'dns-packet';
import { connectSocket } from '../../checks/connect-socket';
import { readErrorCode } from '../../checks/step-failure';
import { type Question, type ReadReply, readReply } from './read-reply';
import type { DnsServer } from './server';

/** Milliseconds after the first datagram at which the question is sent again, because datagrams can get lost. */
const ASK_AGAIN_MS = [500, 1_500, 3_500, 7_500, 15_500, 31_500];
/** The largest datagram that all networks transport safely (DNS Flag Day 2020). */
const UDP_BYTES_MAX = 1_232;

/**
 * Maximum size of a received datagram. Larger datagrams are dropped. The limit is generous, because servers may send
 * more than the requested size.
 */
const DATAGRAM_BYTES_MAX = 4_096;
/** After this many dropped datagrams for a question, all further datagrams are ignored. */
const DATAGRAMS_MAX = 100;
/** The largest TCP message, including its length prefix. */
const MESSAGE_BYTES_MAX = 2 + 65_535;

/** Error codes that are used in addition to system error codes. */
export const TOO_LARGE = 'EMSGSIZE';
export const NO_RESPONSE = 'EBADRESP';

export interface Reply extends Omit<ReadReply, 'isTooLarge'> {
  /** The number of dropped datagrams. */
  readonly dropped: number;
}

export interface Asking {
  readonly reply: Promise<Reply>;
  /** Closes the socket. `reply` may then stay pending forever. */
  readonly cancel: () => void;
}

interface Query {
  readonly id: number;
  readonly bytes: Buffer;
}

function buildQuery({ name, record }: Question): Query {
  const id = randomInt(65_536);
  const packet: packets.Packet = {
    type: 'query',
    id,
    flags: packets.RECURSION_DESIRED,
    questions: [{ type: record, name, class: 'IN' }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: UDP_BYTES_MAX,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  };
  return { id, bytes: packets.encode(packet) };
}

function tooLarge(): Error {
  return Object.assign(new Error('too many records'), { code: TOO_LARGE });
}

export function askByUdp(server: DnsServer, question: Question): Asking {
  const query = buildQuery(question);
  const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4');
  const timers: NodeJS.Timeout[] = [];
  let isClosed = false;
  const cancel = (): void => {
    for (const timer of timers) clearTimeout(timer);
    if (!isClosed) socket.close();
    isClosed = true;
  };
  const reply = new Promise<Reply>((resolve, reject) => {
    let dropped = 0;
    socket.on('error', (error) => {
      cancel();
      reject(error);
    });
    socket.on('message', (bytes, { address, port }) => {
      if (dropped >= DATAGRAMS_MAX) return;
      const isFromServer = address === server.host && port === server.port;
      const isReadable = isFromServer && bytes.length <= DATAGRAM_BYTES_MAX;
      const read = isReadable ? readReply(bytes, query.id, question) : null;
      if (read === null) {
        dropped += 1;
        return;
      }
      cancel();
      if (read.isTooLarge) reject(tooLarge());
      else resolve({ ...read, dropped });
    });
    const send = (): void => {
      if (!isClosed) socket.send(query.bytes, server.port, server.host);
    };
    send();
    timers.push(...ASK_AGAIN_MS.map((ms) => setTimeout(send, ms)));
  });
  return { reply, cancel };
}

export function askByTcp(server: DnsServer, question: Question): Asking {
  const query = buildQuery(question);
  const addresses = { addresses: [server.host], later: Promise.resolve([]) };
  const connecting = connectSocket(addresses, server.port);
  let end = connecting.cancel;
  const talk = async (): Promise<Reply> => {
    const { socket } = await connecting.connected.catch(withCode);
    end = () => socket.destroy();
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.bytes.length);
    socket.write(Buffer.concat([length, query.bytes]));
    try {
      const read = readReply(await readMessage(socket), query.id, question);
      if (read === null) throw Object.assign(new Error('not understood'), { code: NO_RESPONSE });
      if (read.isTooLarge) throw tooLarge();
      return { ...read, dropped: 0 };
    } finally {
      socket.destroy();
    }
  };
  return { reply: talk(), cancel: () => end() };
}

/** Reads a message. Rejects if the connection ends before the message does. */
async function readMessage(socket: Socket): Promise<Buffer> {
  const bytes = Buffer.alloc(MESSAGE_BYTES_MAX);
  let length = 0;
  for await (const piece of socket) {
    length += Buffer.from(piece).copy(bytes, length);
    const end = 2 + bytes.readUInt16BE();
    if (length >= 2 && length >= end) return bytes.subarray(2, end);
  }
  throw Object.assign(new Error('closed'), { code: 'ECONNRESET' });
}

/**
 * Adds a code to the error of a peer that disconnects while the connection is opened, because this error has no system
 * code.
 */
function withCode(error: unknown): never {
  if (readErrorCode(error) !== '') throw error;
  throw Object.assign(new Error('closed', { cause: error }), { code: 'ECONNRESET' });
}
