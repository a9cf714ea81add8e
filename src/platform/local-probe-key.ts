/** The key of probes that run beside the API, for whoever holds the secret key and starts them. */
import { LOCAL_PROBE, probeKeyText } from '../contracts/probe-key';
import { localProbeSecrets } from './sealing';

/** The same each time; every API with the secret key knows it, and it ends with the secret key. */
export function localProbeKey(secretKeys: readonly string[], region: string): string {
  const [secret = ''] = localProbeSecrets(secretKeys, region);
  return probeKeyText({ region, id: LOCAL_PROBE, secret });
}
