/** Combines the settings about the Temporal server. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { TemporalAddress, TemporalSecurity } from '../temporal/temporal-address';
import { requireSetting, type Settings, SettingsError } from './settings';

type SecuritySettings = Pick<
  Settings,
  | 'TEMPORAL_TLS'
  | 'TEMPORAL_TLS_SERVER_CA_CERT_PATH'
  | 'TEMPORAL_TLS_SERVER_NAME'
  | 'TEMPORAL_TLS_CLIENT_CERT_PATH'
  | 'TEMPORAL_TLS_CLIENT_KEY_PATH'
  | 'TEMPORAL_API_KEY'
>;
type TemporalSettings = SecuritySettings &
  Pick<Settings, 'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE'>;

/**
 * Returns the address of the server, with its security settings. Throws SettingsError if there is no address, or if the
 * security settings contradict each other.
 */
export function readTemporalAddress(settings: TemporalSettings): TemporalAddress {
  const address = requireSetting(settings.TEMPORAL_ADDRESS, 'TEMPORAL_ADDRESS');
  return { address, namespace: settings.TEMPORAL_NAMESPACE, ...readTemporalSecurity(settings) };
}

/** Returns the security settings. Throws SettingsError if they contradict each other. */
export function readTemporalSecurity(settings: SecuritySettings): TemporalSecurity {
  const { TEMPORAL_TLS: isAsked, TEMPORAL_API_KEY: apiKey } = settings;
  const tls = {
    serverAuthorities: settings.TEMPORAL_TLS_SERVER_CA_CERT_PATH,
    serverName: settings.TEMPORAL_TLS_SERVER_NAME,
    client: readClient(settings),
  };
  const isConfigured = Object.values(tls).some((part) => part !== undefined);
  if (isAsked === false && isConfigured)
    throw new SettingsError([
      'TEMPORAL_TLS is false, but other TEMPORAL_TLS_ settings are set: remove them, or set it to true',
    ]);
  const isUsed = isAsked ?? (isConfigured || apiKey !== undefined);
  return { tls: isUsed ? tls : undefined, apiKey };
}

function readClient({
  TEMPORAL_TLS_CLIENT_CERT_PATH: certificate,
  TEMPORAL_TLS_CLIENT_KEY_PATH: key,
}: SecuritySettings) {
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined)
    throw new SettingsError([
      'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH must both be set, or neither',
    ]);
  if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)))
    throw new SettingsError([
      'TEMPORAL_TLS_CLIENT_KEY_PATH is not the key of TEMPORAL_TLS_CLIENT_CERT_PATH',
    ]);
  return { certificate, key };
}
