/** The key of probes that run next to the API. It is not stored. */
import { LOCAL_PROBE, probeKeyText } from '../contracts/probe-key';
import { deriveLocalProbeSecrets } from './sealing';

/** Derives the key. It is always the same, so every API with the same secret key accepts it. */
export function deriveLocalProbeKey(secretKeys: readonly string[], region: string): string {
  const [secret = ''] = deriveLocalProbeSecrets(secretKeys, region);
  return probeKeyText({ region, id: LOCAL_PROBE, secret });
}
