/** Describes warnings of certificates and domain registrations that are about to expire. */
import type { AlertMessage } from '../contracts/alerts';
import type { ExpiringCertificate } from '../contracts/certificates';
import { formatInstant } from '../domain/health/instant-words';
import { toOneLine } from '../domain/text/plain-lines';
import { formatDuration } from './duration-words';

const DAY_MS = 86_400_000;

/** Writes a line like `Certificate of shop.example.com expires in 3 days (Checkout)`. */
export function writeCertificateHeadline(
  name: string,
  { certificate, atMs }: AlertMessage,
): string {
  const leftMs = (certificate?.expiresAtMs ?? atMs) - atMs;
  const subject = certificate?.domain ?? certificate?.host ?? name;
  const what = `${nameThing(certificate)} ${toOneLine(subject)}`;
  const when = leftMs <= 0 ? 'has expired' : `expires in ${roughLength(leftMs)}`;
  return `${what} ${when}${subject === name ? '' : ` (${name})`}`;
}

function nameThing(certificate: ExpiringCertificate | null): string {
  if (certificate?.client === true) return 'Client certificate for';
  return certificate?.domain === undefined ? 'Certificate of' : 'Registration of';
}

/** Returns the facts. The fingerprint is left out, because only programs can use it. */
export function listCertificateFacts(
  certificate: ExpiringCertificate,
  { atMs, regions }: Pick<AlertMessage, 'atMs' | 'regions'>,
): readonly { readonly name: string; readonly value: string }[] {
  const { expiresAtMs, issuer, step, domain, host } = certificate;
  return [
    { name: expiresAtMs <= atMs ? 'Expired' : 'Expires', value: formatInstant(expiresAtMs) },
    ...(domain === undefined ? [] : [{ name: 'Domain', value: domain }]),
    ...(host === undefined ? [] : [{ name: 'Host', value: toOneLine(host) }]),
    ...(step === null ? [] : [{ name: 'Step', value: toOneLine(step) }]),
    ...(issuer === null
      ? []
      : [{ name: domain === undefined ? 'Issuer' : 'Registrar', value: toOneLine(issuer) }]),
    { name: 'Seen from', value: regions.join(', ') },
    { name: 'To do', value: writeTask(certificate) },
  ];
}

function writeTask({ client, domain, host }: ExpiringCertificate): string {
  if (domain !== undefined) return 'Renew the registration with the registrar.';
  if (client === true)
    return 'Get a new client certificate, and replace the old one in the settings of the check.';
  const where = host === undefined ? 'on the server' : `on ${toOneLine(host)}`;
  return `Renew the certificate, and install the new one ${where}.`;
}

/** Formats a length. From two days on, it is in whole days, like `3 days`. */
function roughLength(ms: number): string {
  const days = Math.round(ms / DAY_MS);
  return days < 2 ? formatDuration(ms) : `${days} days`;
}
