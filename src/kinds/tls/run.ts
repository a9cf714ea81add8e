/**
 * Runs one TLS check. Performs a handshake and judges each fact about the certificate separately, so that a result
 * lists all problems.
 */
import { checkServerIdentity, type TLSSocket } from 'node:tls';
import { StepFailure } from '../../checks/step-failure';
import { reportDistrust } from '../../checks/tls/secure-socket';
import type { JsonValue } from '../../contracts/definition';
import { TLS_VERSIONS, type TlsSettings } from '../../contracts/kinds';
import type { AssertionOutcome, TlsFacts } from '../../contracts/outcome';
import { cutText } from '../../domain/text/cut-text';
import { judge } from '../judge';
import { connectTo, type Probing, upgradeToTls } from '../probing';

/** Maximum number of certificates of a chain that are shown. */
const SHOWN_MAX = 10;
/** Maximum length of the shown names of a certificate. */
const NAMES_SHOWN_MAX = 300;

export async function runTls(settings: TlsSettings, probing: Probing): Promise<void> {
  const { host, port, serverName, startTls } = settings;
  const { found } = probing;
  const plain = await connectTo({ host, port }, probing);
  try {
    const name = serverName ?? host;
    const socket = await upgradeToTls(plain, { host: name, protocol: startTls }, probing);
    found.response = describeChain(socket);
    found.facts = describeFacts(found.tls);
    found.bytes = Buffer.byteLength(found.response);
    found.assertions = judgeHandshake(socket, settings);
    if (!socket.authorized) throw new StepFailure('tls_error', reportDistrust(socket), 'tls');
  } finally {
    plain.destroy();
  }
}

function describeFacts(tls: TlsFacts | null): JsonValue {
  if (tls === null) return null;
  const { fingerprint = null, version, issuer, expiresAt, daysUntilExpiry, trusted } = tls;
  return { version, issuer, expiresAt, daysUntilExpiry, trusted, fingerprint };
}

function judgeHandshake(socket: TLSSocket, { minVersion, names }: TlsSettings): AssertionOutcome[] {
  const version = socket.getProtocol() ?? '';
  const isNewEnough = rank(version) >= rank(minVersion);
  const certificate = socket.getPeerCertificate();
  return [
    judge({
      type: 'tls',
      target: 'trusted',
      operator: 'equals',
      ok: socket.authorized,
      actual: socket.authorized,
      expected: true,
      message: socket.authorized ? 'The certificate is trusted.' : reportDistrust(socket),
    }),
    judge({
      type: 'tls',
      target: 'version',
      operator: 'in',
      ok: isNewEnough,
      actual: version,
      expected: TLS_VERSIONS.slice(rank(minVersion)),
      message: isNewEnough
        ? `The server speaks ${version}.`
        : `The server speaks ${version}, but ${minVersion} or newer is required.`,
    }),
    ...names.map((name) => {
      const isFor = checkServerIdentity(name, certificate) === undefined;
      return judge({
        type: 'tls',
        target: 'names',
        operator: 'contains',
        ok: isFor,
        actual: cutText(certificate.subjectaltname ?? '', NAMES_SHOWN_MAX),
        expected: name,
        message: `The certificate is ${isFor ? '' : 'not '}for ${name}.`,
      });
    }),
  ];
}

function rank(version: string): number {
  const known: readonly string[] = TLS_VERSIONS;
  return known.indexOf(version);
}

/** Describes the certificates, one paragraph each, starting with the server's. */
function describeChain(socket: TLSSocket): string {
  const shown: string[] = [];
  let next = socket.getPeerCertificate(true);
  const seen = new Set<string>();
  while (next?.fingerprint256 !== undefined && !seen.has(next.fingerprint256)) {
    seen.add(next.fingerprint256);
    shown.push(
      [
        `subject  ${formatName(next.subject)}`,
        ...(next.subjectaltname === undefined ? [] : [`names    ${next.subjectaltname}`]),
        `issuer   ${formatName(next.issuer)}`,
        `valid    ${formatDate(next.valid_from)} to ${formatDate(next.valid_to)}`,
        ...(next.bits === undefined ? [] : [`key      ${next.bits} bits`]),
        `sha256   ${next.fingerprint256.replaceAll(':', '').toLowerCase()}`,
      ].join('\n'),
    );
    if (shown.length >= SHOWN_MAX) break;
    next = next.issuerCertificate;
  }
  return `${shown.join('\n\n')}\n`;
}

function formatName(name: object | undefined): string {
  return Object.entries(name ?? {})
    .map(([field, value]) => `${field}=${String(value)}`)
    .join(', ');
}

function formatDate(text: string): string {
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? text : new Date(atMs).toISOString();
}
