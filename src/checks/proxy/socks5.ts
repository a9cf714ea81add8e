/** Opens a tunnel with SOCKS 5 (RFC 1928). User and password are sent if the proxy asks for them (RFC 1929). */
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { ProxyServer } from '../../contracts/definitions/proxy';
import { StepFailure } from '../step-failure';
import type { TunnelTarget } from './http-connect';
import { createProxyFailure, readReply } from './reply';

const VERSION = 5;
const NO_SIGN_IN = 0;
const BY_PASSWORD = 2;
const CONNECT = 1;
const IPV4 = 1;
const NAME = 3;
const IPV6 = 4;

/** Resolves when the tunnel is open. Rejects with StepFailure. */
export async function connectBySocks(
  socket: Socket,
  proxy: ProxyServer,
  target: TunnelTarget,
): Promise<void> {
  await signIn(socket, proxy);
  socket.write(requestFor(target));
  const reply = await readReply(socket, proxy.name, findReplyEnd);
  const [version, code = 1] = reply;
  if (version !== VERSION) throw createProxyFailure(proxy.name, 'does not speak SOCKS 5');
  if (code !== 0) throw refusal(proxy.name, code);
}

async function signIn(socket: Socket, { name, credentials }: ProxyServer): Promise<void> {
  const ways = credentials === null ? [NO_SIGN_IN] : [NO_SIGN_IN, BY_PASSWORD];
  socket.write(Buffer.from([VERSION, ways.length, ...ways]));
  const [version, way] = await readReply(socket, name, twoBytes);
  if (version !== VERSION) throw createProxyFailure(name, 'does not speak SOCKS 5');
  if (way === NO_SIGN_IN) return;
  if (way !== BY_PASSWORD || credentials === null)
    throw createProxyFailure(name, 'requires another authentication method');
  const texts = [credentials.user, credentials.password].map((text) => Buffer.from(text));
  const parts = texts.flatMap((text) => [Buffer.from([text.length]), text]);
  socket.write(Buffer.concat([Buffer.from([1]), ...parts]));
  const [, status] = await readReply(socket, name, twoBytes);
  if (status !== 0) throw createProxyFailure(name, 'refuses its user and password');
}

function twoBytes(bytes: Buffer): number | null {
  return bytes.length < 2 ? null : 2;
}

function requestFor({ ip, port }: TunnelTarget): Buffer {
  const address = ipaddr.process(ip);
  const type = address.kind() === 'ipv4' ? IPV4 : IPV6;
  const bytes = [VERSION, CONNECT, 0, type, ...address.toByteArray(), port >> 8, port & 0xff];
  return Buffer.from(bytes);
}

/**
 * Returns the length of a reply: four bytes, then an address of the given type, then a port. null means that the reply
 * is not complete yet.
 */
function findReplyEnd(bytes: Buffer): number | null {
  const [, , , type, first] = bytes;
  if (first === undefined) return null;
  const end = 6 + addressBytes(type, first);
  return bytes.length < end ? null : end;
}

function addressBytes(type: number | undefined, first: number): number {
  if (type === NAME) return 1 + first;
  return type === IPV6 ? 16 : 4;
}

/** Reply codes for which the target is to blame. For all other codes, the proxy is to blame. */
const UNREACHED: Readonly<Record<number, string>> = {
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'timed out',
};

function refusal(name: string, code: number): StepFailure {
  const reason = UNREACHED[code];
  if (reason === undefined)
    return createProxyFailure(name, `refuses to connect to the target (SOCKS ${code})`);
  const message = `The proxy “${name}” does not reach the target (${reason}).`;
  return new StepFailure('connection_refused', message, 'connect');
}
