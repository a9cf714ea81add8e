/** The key of probes that run next to the API. */
import { LOCAL_PROBE, probeKeyText } from '../contracts/probe-key';
import { localProbeSecrets } from './sealing';

/** Deterministic: every API with the same secret key accepts it. */
export function localProbeKey(secretKeys: readonly string[], region: string): string {
  const [secret = ''] = localProbeSecrets(secretKeys, region);
  return probeKeyText({ region, id: LOCAL_PROBE, secret });
}
