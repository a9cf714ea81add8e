/**
 * The keys of the probe's region. They are read again from time to time, so rotating the secret key needs no restart of
 * probes.
 */
import { RUN_VALUE_PURPOSE } from '../contracts/seal-contexts';
import { createTextSealer, type TextSealer } from '../platform/sealing';
import type { InternalApiClient } from './internal-api-client';

/** Minimum time between two requests for keys. It limits the requests if many payloads cannot be decrypted. */
const RENEW_EVERY_MS = 2_000;

export interface RegionKeyring {
  readonly region: string;
  /** The first key encrypts. Returns the same array until the keys change. */
  readonly keys: () => readonly string[];
  /**
   * Reads the keys again if the last read is older than two seconds. Never throws: after a failure, the old keys stay
   * in use.
   */
  readonly renew: () => Promise<void>;
  /** Encrypts and decrypts secret values of runs. */
  readonly runValues: Pick<TextSealer, 'seal' | 'open'> & { readonly renew: () => Promise<void> };
}

interface KeyringOptions {
  readonly internalApi: Pick<InternalApiClient, 'fetchKeys'>;
  readonly region: string;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
}

/** Fetches the keys of the region. Throws if the API does not return them. */
export async function openRegionKeyring({
  internalApi,
  region,
  now,
}: KeyringOptions): Promise<RegionKeyring> {
  let keys = await internalApi.fetchKeys();
  let readAtMs = now();
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    readAtMs = now();
    const found = await internalApi.fetchKeys().catch(() => keys);
    if (found.join() !== keys.join()) keys = found;
  }

  async function renew(): Promise<void> {
    if (reading === undefined && now() - readAtMs < RENEW_EVERY_MS) return;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    await reading;
  }

  const sealer = () => createTextSealer(keys, RUN_VALUE_PURPOSE);
  return {
    region,
    keys: () => keys,
    renew,
    runValues: {
      seal: (plain, context) => sealer().seal(plain, context),
      open: (sealed, context) => sealer().open(sealed, context),
      renew,
    },
  };
}
