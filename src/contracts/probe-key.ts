/**
 * The only credential of a probe: `kwp_<region>_<id>_<secret>`. It proves the region of the probe, and decrypts
 * responses of the API.
 */
export interface ProbeKey {
  readonly region: string;
  /** The id of the stored key, or LOCAL_PROBE. */
  readonly id: string;
  /** The secret: 64 hex characters. */
  readonly secret: string;
}

/** The id of the key that probes next to the API use. This key is derived from the secret key of the installation. */
export const LOCAL_PROBE = 'local';

const FORM = /^kwp_([a-z][a-z0-9-]{0,31})_(local|prk_[0-9a-z]{26})_([0-9a-f]{64})$/;

export function probeKeyText({ region, id, secret }: ProbeKey): string {
  return `kwp_${region}_${id}_${secret}`;
}

/** Parses the text of a key. null means that the text is not a key. */
export function parseProbeKey(text: string): ProbeKey | null {
  const [, region, id, secret] = FORM.exec(text) ?? [];
  if (region === undefined || id === undefined || secret === undefined) return null;
  return { region, id, secret };
}
