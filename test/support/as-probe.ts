/** Simulates a probe towards the internal endpoint of the API. */
import { LOCAL_PROBE, type ProbeKey } from '../../src/contracts/probe-key';
import { PROBE_KEY_HEADER, PROBE_REGION_HEADER } from '../../src/contracts/probe-protocol';
import {
  createSealer,
  deriveLocalProbeSecrets,
  deriveProbeToken,
  type Sealer,
} from '../../src/platform/sealing';

export interface AsProbe {
  readonly key: ProbeKey;
  readonly headers: Readonly<Record<string, string>>;
  /** Decrypts and parses what the API encrypted for this probe. */
  readonly open: (sealed: Buffer, context: string) => unknown;
  readonly sealer: (purpose: string) => Sealer;
}

export function asLocalProbe(secretKey: string, region: string): AsProbe {
  const [secret = ''] = deriveLocalProbeSecrets([secretKey], region);
  return asProbe({ region, id: LOCAL_PROBE, secret });
}

export function asProbe(key: ProbeKey): AsProbe {
  const sealer = (purpose: string) => createSealer([key.secret], purpose);
  return {
    key,
    headers: {
      Authorization: `Bearer ${deriveProbeToken(key.secret)}`,
      [PROBE_REGION_HEADER]: key.region,
      [PROBE_KEY_HEADER]: key.id,
    },
    open: (sealed, context) =>
      JSON.parse(sealer('probe-response').open(sealed, context).toString('utf8')),
    sealer,
  };
}
