/** The connection to the mail server that alerts and letters share the settings of. */
import { createTransport } from 'nodemailer';

const CONNECT_MS = 10_000;
const SOCKET_MS = 20_000;

/** Reads no file and no address, whatever a message says. */
export function createMailTransport(smtpUrl: string) {
  return createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_MS,
    dnsTimeout: CONNECT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
