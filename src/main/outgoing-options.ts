/** Converts the settings for outgoing requests, and reads the files that they name. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createConnectByName } from '../checks/connect-by-name';
import type { OutgoingOptions } from '../checks/outgoing-options';
import { createResolveHost } from '../checks/resolve-host';
import { createTrust } from '../checks/tls/secure-socket';
import { listPorts } from '../config/own-ports';
import { type Settings, SettingsError } from '../config/settings';
import type { MailServer } from '../notify/mail-transport';

type Given = Pick<
  Settings,
  'KEEPWATCH_ALLOWED_PRIVATE_TARGETS' | 'KEEPWATCH_DENIED_TARGETS' | 'KEEPWATCH_OWN_PORTS'
> &
  Partial<Pick<Settings, 'KEEPWATCH_EXTRA_CA_CERTS' | 'KEEPWATCH_PROXIES'>>;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * Returns the certificates of a PEM file. Throws SettingsError if the file cannot be read or contains no certificate.
 */
function readAuthorities(path: string): readonly string[] {
  try {
    const certificates = readFileSync(path, 'utf8').match(CERTIFICATE) ?? [];
    for (const certificate of certificates) new X509Certificate(certificate);
    if (certificates.length > 0) return certificates;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError([`KEEPWATCH_EXTRA_CA_CERTS cannot be read: ${reason}`]);
  }
  throw new SettingsError([`KEEPWATCH_EXTRA_CA_CERTS contains no certificate in PEM: ${path}`]);
}

/** @param servers IP addresses of this installation's own servers. */
export function buildOutgoingOptions(
  settings: Given,
  servers: readonly (string | undefined)[],
): OutgoingOptions {
  return {
    allowedPrivateTargets: settings.KEEPWATCH_ALLOWED_PRIVATE_TARGETS,
    deniedTargets: settings.KEEPWATCH_DENIED_TARGETS,
    ownPorts: [...settings.KEEPWATCH_OWN_PORTS, ...listPorts(servers)],
    extraAuthorities: extraAuthorities(settings),
    proxies: settings.KEEPWATCH_PROXIES ?? [],
  };
}

function extraAuthorities({
  KEEPWATCH_EXTRA_CA_CERTS: path,
}: Partial<Pick<Settings, 'KEEPWATCH_EXTRA_CA_CERTS'>>): readonly string[] {
  return path === undefined ? [] : readAuthorities(path);
}

/** Returns the mail server. null means that none is set. */
export function buildMailServer(
  settings: Partial<Pick<Settings, 'SMTP_URL' | 'KEEPWATCH_EXTRA_CA_CERTS'>>,
): MailServer | null {
  const { SMTP_URL: smtpUrl } = settings;
  if (smtpUrl === undefined) return null;
  const connect = createConnectByName(createResolveHost());
  return { smtpUrl, trust: createTrust(extraAuthorities(settings)), connect };
}
