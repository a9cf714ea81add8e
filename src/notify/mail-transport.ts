/**
 * The connection to the mail server that alerts and emails of the service share the settings of. It trusts
 * the authorities that checks trust, and reports failures in their words.
 */
import type { SecureContext } from 'node:tls';
import { createTransport } from 'nodemailer';
import {
  connectSentence,
  distrustReason,
  handshakeSentence,
  lookupFailureSentence,
} from '../domain/states/connection-words';

/** How long a silent mail server is waited for. */
const PATIENCE_MS = 10_000;

export interface MailServer {
  readonly smtpUrl: string;
  /** The authorities that its certificate may come from. */
  readonly trust: SecureContext;
  /** Default: ten seconds until the server greets, twenty for each response. */
  readonly patienceMs?: number | undefined;
}

/** Reads no file and no address, whatever a message says; a silent server is given up. */
export function createMailTransport({ smtpUrl, trust, patienceMs = PATIENCE_MS }: MailServer) {
  return createTransport({
    url: smtpUrl,
    tls: { secureContext: trust },
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: 2 * patienceMs,
    dnsTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Why the server could not be reached, as a sentence without the server's own words. */
export function unreachableSentence(error: unknown, smtpUrl: string): string {
  const code = textAt(error, 'code');
  const cause = textAt(error, 'originalCode') || code;
  const { hostname, port, protocol } = new URL(smtpUrl);
  const sentence = sentenceFor(code, cause, {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'smtps:' ? 465 : 587),
  });
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
