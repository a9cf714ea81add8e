/** The settings for requests that leave a process, with the files that they name. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { OutgoingOptions } from '../checks/outgoing-options';
import { portsIn } from '../config/own-ports';
import { type Settings, SettingsError } from '../config/settings';

type Given = Pick<
  Settings,
  'KEEPWATCH_ALLOWED_PRIVATE_TARGETS' | 'KEEPWATCH_DENIED_TARGETS' | 'KEEPWATCH_OWN_PORTS'
> &
  Partial<Pick<Settings, 'KEEPWATCH_EXTRA_CA_CERTS'>>;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** The certificates of a PEM file. Throws SettingsError when it can't be read or holds none. */
function readAuthorities(path: string): readonly string[] {
  try {
    const certificates = readFileSync(path, 'utf8').match(CERTIFICATE) ?? [];
    for (const certificate of certificates) new X509Certificate(certificate);
    if (certificates.length > 0) return certificates;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError([`KEEPWATCH_EXTRA_CA_CERTS cannot be read: ${reason}`]);
  }
  throw new SettingsError([`KEEPWATCH_EXTRA_CA_CERTS holds no certificate in PEM: ${path}`]);
}

/** @param servers addresses of this installation's own servers, as this process knows them. */
export function outgoingOptions(
  settings: Given,
  servers: readonly (string | undefined)[],
): OutgoingOptions {
  const { KEEPWATCH_EXTRA_CA_CERTS: path } = settings;
  return {
    allowedPrivateTargets: settings.KEEPWATCH_ALLOWED_PRIVATE_TARGETS,
    deniedTargets: settings.KEEPWATCH_DENIED_TARGETS,
    ownPorts: [...settings.KEEPWATCH_OWN_PORTS, ...portsIn(servers)],
    extraAuthorities: path === undefined ? [] : readAuthorities(path),
  };
}
