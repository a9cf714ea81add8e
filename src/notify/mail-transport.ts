/** The connection to the mail server that alerts and emails of the service share the settings of. */
import { rootCertificates } from 'node:tls';
import { createTransport } from 'nodemailer';

/** How long a silent mail server is waited for. */
const PATIENCE_MS = 10_000;

export interface MailTransportOptions {
  /** Default: ten seconds until the server greets, twenty for each response. */
  readonly patienceMs?: number | undefined;
  /** PEM certificates of authorities that are trusted beside the well-known ones. */
  readonly extraAuthorities?: readonly string[] | undefined;
}

/** Reads no file and no address, whatever a message says; a silent server is given up. */
export function createMailTransport(
  smtpUrl: string,
  { patienceMs = PATIENCE_MS, extraAuthorities = [] }: MailTransportOptions = {},
) {
  return createTransport({
    url: smtpUrl,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: 2 * patienceMs,
    dnsTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(extraAuthorities.length > 0 && {
      tls: { ca: [...rootCertificates, ...extraAuthorities] },
    }),
  });
}
