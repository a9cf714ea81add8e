/** A DNS server on loopback that answers queries for a few names. It never responds to queries for other names. */
import { createSocket, type RemoteInfo } from 'node:dgram';
import ipaddr from 'ipaddr.js';

export interface NameServer {
  /** The address of the server, `address:port`, as a resolver expects it. */
  readonly address: string;
  /** The names that were queried, once for each query. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

/** The IP addresses of a name, or a DNS response code. undefined means no response. */
export type Answer = readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | undefined;
export type LookUp = (name: string, family: 'ipv4' | 'ipv6') => Answer | Promise<Answer>;

const TYPE_A = 1;
const TYPE_AAAA = 28;

function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let offset = 12;
  for (let length = message[offset] ?? 0; length > 0; length = message[offset] ?? 0) {
    labels.push(message.toString('latin1', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  return { name: labels.join('.'), end: offset + 1 };
}

function record(address: string): Buffer {
  const parsed = ipaddr.parse(address);
  const bytes = Buffer.from(parsed.toByteArray());
  const head = Buffer.from([0xc0, 0x0c, 0, 0, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
  head.writeUInt16BE(parsed.kind() === 'ipv4' ? TYPE_A : TYPE_AAAA, 2);
  return Buffer.concat([head, bytes]);
}

function familyOf(question: Buffer, end: number): 'ipv4' | 'ipv6' {
  return question.readUInt16BE(end) === TYPE_AAAA ? 'ipv6' : 'ipv4';
}

function answer(question: Buffer, found: Exclude<Answer, undefined>): Buffer {
  const { end } = readName(question);
  const kind = familyOf(question, end);
  const addresses = typeof found === 'string' ? [] : found;
  const records = addresses.filter((one) => ipaddr.parse(one).kind() === kind).map(record);
  const codes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 };
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180 | (typeof found === 'string' ? codes[found] : 0), 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, question.subarray(12, end + 4), ...records]);
}

export async function startNameServer(lookUp: LookUp): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  let isClosed = false;
  const respond = async (question: Buffer, { port, address }: RemoteInfo) => {
    const { name, end } = readName(question);
    asked.push(name);
    const found = await lookUp(name, familyOf(question, end));
    if (found !== undefined && !isClosed) socket.send(answer(question, found), port, address);
  };
  socket.on('message', (question, from) => void respond(question, from));
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        isClosed = true;
        socket.close(() => resolve());
      }),
  };
}
