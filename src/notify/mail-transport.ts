/**
 * The connection to the mail server. It trusts the same authorities as checks do, and describes failures in the same
 * words.
 */
import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { callbackify } from 'node:util';
import { createTransport } from 'nodemailer';
import {
  connectSentence,
  distrustReason,
  handshakeSentence,
  lookupFailureSentence,
} from '../domain/states/connection-words';

/** Milliseconds to wait for a mail server that does not respond. */
const TIMEOUT_MS = 10_000;

interface ServerName {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

export interface MailServer {
  readonly smtpUrl: string;
  /** Certificate authorities that are trusted. */
  readonly trust: SecureContext;
  /** Opens connections in the same way as checks. If absent, the mail library opens them itself. */
  readonly connect?: ((server: ServerName) => Promise<Socket>) | undefined;
  /**
   * The timeout for connecting and for the greeting of the server. Each later response may take twice as long. The
   * default is ten seconds.
   */
  readonly timeoutMs?: number | undefined;
}

/**
 * Creates the transport. It never reads files or URLs that a message names, and gives up if the server does not
 * respond.
 */
export function createMailTransport(server: MailServer) {
  const { smtpUrl, trust, timeoutMs = TIMEOUT_MS } = server;
  const open = callbackify(() => openSocket(server));
  return createTransport({
    url: smtpUrl,
    getSocket: (_options, callback) => open(callback),
    tls: { secureContext: trust },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: 2 * timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

interface MailSocket {
  readonly connection: Socket;
  /** True if the connection uses TLS from its first byte. */
  readonly secured: boolean;
}

/** Opens the connection. false means that the library must open it itself. */
async function openSocket(server: MailServer): Promise<MailSocket | false> {
  const { connect, trust, smtpUrl, timeoutMs = TIMEOUT_MS } = server;
  if (connect === undefined) return false;
  const { host, port, isSecure } = serverIn(smtpUrl);
  try {
    const socket = await connect({ host, port, timeoutMs });
    if (!isSecure) return { connection: socket, secured: false };
    return { connection: await secure(socket, { host, trust, timeoutMs }), secured: true };
  } catch (error) {
    throw connectionError(error);
  }
}

interface Securing {
  readonly host: string;
  readonly trust: SecureContext;
  readonly timeoutMs: number;
}

async function secure(socket: Socket, { host, trust, timeoutMs }: Securing): Promise<Socket> {
  const servername = isIP(host) === 0 ? host : '';
  const secured = connectTls({ socket, secureContext: trust, servername, host });
  const handshake = new Promise<void>((resolve, reject) => {
    secured.once('secureConnect', resolve);
    secured.once('error', reject);
    secured.setTimeout(timeoutMs, () =>
      reject(Object.assign(new Error('Timed out.'), { code: 'ETIMEDOUT' })),
    );
  });
  try {
    await handshake;
    return secured.setTimeout(0);
  } catch (error) {
    // Without a listener, a later error would end the process.
    secured.on('error', () => undefined).destroy();
    throw error;
  }
}

/** Converts an error. Keeps its codes, because `explainUnreachable` chooses its sentence by them. */
function connectionError(error: unknown): Error {
  const codes = { code: textAt(error, 'code'), originalCode: textAt(error, 'originalCode') };
  return Object.assign(new Error('There is no connection to the mail server.'), codes);
}

function serverIn(smtpUrl: string) {
  const { hostname, port, protocol } = new URL(smtpUrl);
  const isSecure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isSecure ? 465 : 587),
    isSecure,
  };
}

/** Explains why the server could not be reached. Contains no text from the server. */
export function explainUnreachable(error: unknown, smtpUrl: string): string {
  const code = textAt(error, 'code');
  const cause = textAt(error, 'originalCode') || code;
  const sentence = sentenceFor(code, cause, serverIn(smtpUrl));
  return sentence === null
    ? `Can’t reach the mail server. ${cause}`.trim()
    : `Can’t reach the mail server: ${sentence}`;
}

function sentenceFor(
  code: string,
  cause: string,
  { host, port }: { readonly host: string; readonly port: number },
): string | null {
  if (code === 'EDNS') return lookupFailureSentence(host, cause);
  const distrust = distrustReason(cause);
  if (distrust !== null) return `The certificate ${distrust}.`;
  if (cause.startsWith('ERR_SSL_')) return handshakeSentence(cause);
  return connectSentence(cause, port);
}

function textAt(error: unknown, name: 'code' | 'originalCode'): string {
  if (typeof error !== 'object' || error === null) return '';
  const value: unknown = Object.getOwnPropertyDescriptor(error, name)?.value;
  return typeof value === 'string' ? value : '';
}
