/**
 * One question to one name server, by UDP or TCP (RFC 1035, 7766). What comes from another address, with another id or
 * for another question is dropped and counted, and the wait goes on.
 */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import * as packets from 'dns-packet';
import { connectSocket } from '../../checks/connect-socket';
import type { DnsRecord } from '../../contracts/kinds';
import type { DnsServer } from '../../domain/definitions/dns-server';

/** Datagrams get lost: the question is sent again while nothing came. */
const ASK_AGAIN_MS = [500, 1_500, 3_500, 7_500, 15_500, 31_500];
/** No larger datagram is safe everywhere (DNS Flag Day 2020). */
const UDP_BYTES_MAX = 1_232;

const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'];

export interface Question {
  readonly name: string;
  readonly record: DnsRecord;
}

export interface Reply {
  readonly rcode: string;
  readonly answers: readonly packets.Answer[];
  readonly isTruncated: boolean;
  /** Datagrams that were none of this question's. */
  readonly dropped: number;
}

export interface Asking {
  readonly reply: Promise<Reply>;
  /** Closes what is open; the reply may then never come. */
  readonly cancel: () => void;
}

interface Query {
  readonly id: number;
  readonly bytes: Buffer;
}

function queryOf({ name, record }: Question): Query {
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

/** null: it is no answer to this question, or none at all. */
function readReply(
  bytes: Buffer,
  { id }: Query,
  question: Question,
): Omit<Reply, 'dropped'> | null {
  try {
    const packet = packets.decode(bytes);
    const [asked] = packet.questions ?? [];
    const isOurs =
      packet.type === 'response' &&
      packet.id === id &&
      asked !== undefined &&
      asked.type === question.record &&
      asked.name.toLowerCase() === question.name.toLowerCase();
    if (!isOurs) return null;
    return {
      rcode: rcodeOf(packet.flags ?? 0),
      answers: packet.answers ?? [],
      isTruncated: packet.flag_tc,
    };
  } catch {
    return null;
  }
}

/** The last four bits (RFC 1035 §4.1.1), by their names where people know them. */
function rcodeOf(flags: number): string {
  const code = flags & 15;
  return RCODES[code] ?? `RCODE ${code}`;
}

export function askByUdp(server: DnsServer, question: Question): Asking {
  const query = queryOf(question);
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
      const isFromServer = address === server.host && port === server.port;
      const read = isFromServer ? readReply(bytes, query, question) : null;
      if (read === null) {
        dropped += 1;
        return;
      }
      cancel();
      resolve({ ...read, dropped });
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
  const query = queryOf(question);
  const addresses = { addresses: [server.host], later: Promise.resolve([]) };
  const connecting = connectSocket(addresses, server.port);
  let end = connecting.cancel;
  const talk = async (): Promise<Reply> => {
    const { socket } = await connecting.connected;
    end = () => socket.destroy();
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.bytes.length);
    socket.write(Buffer.concat([length, query.bytes]));
    let bytes = Buffer.alloc(0);
    try {
      for await (const piece of socket) {
        bytes = Buffer.concat([bytes, Buffer.from(piece)]);
        if (bytes.length < 2 || bytes.length < 2 + bytes.readUInt16BE()) continue;
        const read = readReply(bytes.subarray(2, 2 + bytes.readUInt16BE()), query, question);
        if (read === null) throw new Error('the response is none to this question');
        return { ...read, dropped: 0 };
      }
    } finally {
      socket.destroy();
    }
    throw Object.assign(new Error('closed'), { code: 'ECONNRESET' });
  };
  return { reply: talk(), cancel: () => end() };
}
