/** The connection to the mail server that alerts and emails of the service share the settings of. */
import { createTransport } from 'nodemailer';

/** How long a silent mail server is waited for. */
const PATIENCE_MS = 10_000;

/** Reads no file and no address, whatever a message says; a silent server is given up. */
export function createMailTransport(smtpUrl: string, patienceMs: number = PATIENCE_MS) {
  return createTransport({
    url: smtpUrl,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: 2 * patienceMs,
    dnsTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
