/**
 * Finds out why a Temporal server cannot be reached, and which setting fixes it. It makes its own TLS handshake,
 * because the SDK's errors say little.
 */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate, rootCertificates } from 'node:tls';
import type { TemporalAddress, TemporalTls } from './temporal-address';

type Reach = Omit<TemporalAddress, 'namespace'>;

const HANDSHAKE_MS = 2_000;
/** The connection preface of an HTTP/2 client, with an empty SETTINGS frame. */
const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);
/** The gRPC codes UNAUTHENTICATED and PERMISSION_DENIED, in the spellings of clients and of workers. */
const KEY_REFUSED =
  /\bUNAUTHENTICATED\b|\bPERMISSION_DENIED\b|valid authentication credentials|caller does not have permission/;

const ADVICE = {
  useTls: 'it speaks TLS: set TEMPORAL_TLS=true',
  useNoTls: 'it does not speak TLS there: set TEMPORAL_TLS=false, or correct TEMPORAL_ADDRESS',
  authority:
    'its certificate is from an authority that is not trusted here: set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the certificate of its authority',
  expired:
    'its certificate has expired or is not valid yet: renew it, and check the clocks of both hosts',
  needsCertificate:
    'it asks for a client certificate: set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH',
  refusesCertificate:
    'it refuses our client certificate: TEMPORAL_TLS_CLIENT_CERT_PATH must name one that its authorities have signed and that is in date',
  needsKey: 'it asks for an API key: set TEMPORAL_API_KEY',
  refusesKey:
    'it refuses TEMPORAL_API_KEY: create a new one, and check that it may use TEMPORAL_NAMESPACE',
} as const;

/** Returns a sentence with the setting to change, or null if no cause is found. */
export async function explainRefusal(reach: Reach, error: unknown): Promise<string | null> {
  const said = listTexts(error).join('\n');
  if (KEY_REFUSED.test(said))
    return reach.apiKey === undefined ? ADVICE.needsKey : ADVICE.refusesKey;
  const { tls } = reach;
  if (tls !== undefined) return judge(await shakeHands(reach, tls), tls);
  const speaksTls = isTlsSpoken(await shakeHands(reach, null));
  return speaksTls ? ADVICE.useTls : null;
}

function listTexts(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)];
  return [error.message, ...(error.cause === undefined ? [] : listTexts(error.cause))];
}

interface HandshakeError extends NodeJS.ErrnoException {
  /** The server's certificate. Present only if the name in the certificate is wrong. */
  readonly cert?: PeerCertificate;
}

interface Handshake {
  /** The error code of Node or OpenSSL. `ok` means that the server responded in HTTP/2. */
  readonly code: string;
  /** The names in the server's certificate. Empty if no certificate was received. */
  readonly names: string;
}

function isTlsSpoken({ code }: Handshake): boolean {
  return code === 'ok' || code.includes('ALERT');
}

function judge({ code, names }: Handshake, { client }: TemporalTls): string | null {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `its certificate is for other names (${names}): set TEMPORAL_TLS_SERVER_NAME to one of them, or correct TEMPORAL_ADDRESS`;
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(code)) return ADVICE.useNoTls;
  if (/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(code)) return ADVICE.expired;
  if (/SELF_SIGNED|UNABLE_TO_|CERT_SIGNATURE|INVALID_CA/.test(code)) return ADVICE.authority;
  // If a server requires a client certificate, or refuses the given one, it sends an alert or closes the connection.
  const isRefused = code.includes('ALERT') || code === 'closed' || code === 'ECONNRESET';
  if (!isRefused) return null;
  return client === undefined ? ADVICE.needsCertificate : ADVICE.refusesCertificate;
}

/**
 * Makes a TLS handshake and returns its outcome.
 * @param tls null to find out only whether the server supports TLS, without checking its identity.
 */
function shakeHands({ address }: Reach, tls: TemporalTls | null): Promise<Handshake> {
  const colon = address.lastIndexOf(':');
  const [host, port] = [address.slice(0, colon), Number(address.slice(colon + 1))];
  return new Promise((resolve) => {
    const tcp = connectTcp({ host, port });
    const socket = connectTls({
      socket: tcp,
      host,
      // RFC 6066: an IP address is not allowed as a server name.
      servername: tls?.serverName ?? (isIP(host) === 0 ? host : ''),
      ca: tls?.serverAuthorities ?? [...rootCertificates],
      cert: tls?.client?.certificate,
      key: tls?.client?.key,
      rejectUnauthorized: tls !== null,
      ALPNProtocols: ['h2'],
    });
    const end = (code: string, names = '') => {
      destroy(socket, tcp);
      resolve({ code, names });
    };
    const fail = ({ code = '', cert }: HandshakeError) => end(code, cert?.subjectaltname);
    tcp.once('error', fail);
    socket.on('error', fail);
    socket.once('close', () => end('closed'));
    socket.once('secureConnect', () => (tls === null ? end('ok') : socket.write(PREFACE)));
    socket.once('data', () => end('ok'));
    socket.setTimeout(HANDSHAKE_MS, () => end('timeout'));
    tcp.setTimeout(HANDSHAKE_MS, () => end('timeout'));
  });
}

function destroy(...sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}
