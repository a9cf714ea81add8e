/** Opens a tunnel with the CONNECT method of an HTTP proxy (RFC 9110 §9.3.6). */
import type { Socket } from 'node:net';
import type { ProxyServer } from '../../contracts/definitions/proxy';
import { StepFailure } from '../step-failure';
import { createProxyFailure, readReply } from './reply';

export interface TunnelTarget {
  /** The IP address of the target, which the target guard has allowed. */
  readonly ip: string;
  readonly port: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
/** Statuses with which a proxy reports that it could not connect to the target. */
const UNREACHED: readonly number[] = [502, 503, 504];

/** Resolves when the tunnel is open. Rejects with StepFailure. */
export async function connectByHttp(
  socket: Socket,
  { name, credentials }: ProxyServer,
  { ip, port }: TunnelTarget,
): Promise<void> {
  const authority = ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  if (credentials !== null) {
    const { user, password } = credentials;
    const encoded = Buffer.from(`${user}:${password}`).toString('base64');
    lines.push(`Proxy-Authorization: Basic ${encoded}`);
  }
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const reply = await readReply(socket, name, (bytes) => {
    const at = bytes.indexOf(HEAD_END);
    return at < 0 ? null : at + HEAD_END.length;
  });
  const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(reply.toString('latin1'))?.[1] ?? Number.NaN);
  if (status >= 200 && status < 300) return;
  throw refusal(name, status, credentials !== null);
}

function refusal(name: string, status: number, hasCredentials: boolean): StepFailure {
  if (Number.isNaN(status)) return createProxyFailure(name, 'does not speak HTTP');
  if (status === 407)
    return createProxyFailure(
      name,
      hasCredentials ? 'refuses its user and password (407)' : 'asks for a password (407)',
    );
  if (!UNREACHED.includes(status))
    return createProxyFailure(name, `refuses to connect to the target (${status})`);
  const message = `The proxy “${name}” does not reach the target (${status}).`;
  return new StepFailure('connection_refused', message, 'connect');
}
