/**
 * Reads secrets for a probe from the API and keeps them in memory for a minute, or longer while the API is down. Never
 * writes them to disk.
 */
import {
  type DefinitionReference,
  type ProbeSecret,
  SECRET_NAMES_MAX,
} from '../contracts/probe-protocol';
import { createLruCache } from '../platform/lru-cache';
import type { InternalApiClient } from './internal-api-client';
import { retryCall } from './retry-call';

const CACHED_MAX = 10_000;
/**
 * A cached value is used for this long without asking the API. A changed value is therefore used everywhere after this
 * time at most.
 */
const FRESH_MS = 60_000;
/** How long a value is usable while the API is down. */
const KEPT_MS = 15 * 60_000;
/** How long to wait before asking the API again after a failure. */
const ASK_AGAIN_MS = 5_000;

/** Thrown if the API is down and a value is not cached. Nothing was sent to the target. */
export class SecretsUnavailableError extends Error {
  constructor(cause: unknown) {
    super('the API does not respond, and the secrets are not known', { cause });
    this.name = 'SecretsUnavailableError';
  }
}

type Names = readonly string[];

export interface SecretClient {
  /**
   * Returns those of the named secrets that exist. If the API is down and a value is not cached, throws
   * SecretsUnavailableError after 3 to 5 s.
   */
  readonly read: (reference: DefinitionReference, names: Names) => Promise<readonly ProbeSecret[]>;
}

interface Kept {
  readonly secret: ProbeSecret;
  readonly readAtMs: number;
}

interface SecretClientOptions {
  readonly internalApi: Pick<InternalApiClient, 'fetchSecrets'>;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
}

/** Creates a client with a cache. Simultaneous reads of the same secrets share one request. */
export function createSecretClient({ internalApi, now }: SecretClientOptions): SecretClient {
  const cached = createLruCache<Kept>(CACHED_MAX);
  const reading = new Map<string, Promise<void>>();
  let awayUntilMs = Number.NEGATIVE_INFINITY;

  const formatKey = (accountId: string, name: string): string => `${accountId}:${name}`;
  const measureAge = (accountId: string, name: string): number =>
    now() - (cached.get(formatKey(accountId, name))?.readAtMs ?? Number.NEGATIVE_INFINITY);

  async function fetchAndCache(reference: DefinitionReference, names: Names): Promise<void> {
    const readAtMs = now();
    const { accountId } = reference;
    const found = await internalApi.fetchSecrets(reference, names);
    const secrets = new Map(found.map((secret) => [secret.name, secret]));
    for (const name of names) {
      const secret = secrets.get(name);
      if (secret === undefined) cached.remove(formatKey(accountId, name));
      else cached.set(formatKey(accountId, name), { secret, readAtMs });
    }
  }

  function fetchOnce(reference: DefinitionReference, names: Names): Promise<void> {
    const key = formatKey(reference.accountId, names.join(','));
    const pending =
      reading.get(key) ?? fetchAndCache(reference, names).finally(() => reading.delete(key));
    reading.set(key, pending);
    return pending;
  }

  /** Asks the API for the secrets. Retries only if no cached value can be used instead. */
  async function refresh(reference: DefinitionReference, names: Names): Promise<void> {
    const { accountId } = reference;
    const isEachKept = names.every((name) => measureAge(accountId, name) < KEPT_MS);
    if (isEachKept && now() < awayUntilMs) return;
    try {
      const ask = () => fetchOnce(reference, names);
      await (isEachKept ? ask() : retryCall(ask));
    } catch (error) {
      awayUntilMs = now() + ASK_AGAIN_MS;
      if (!isEachKept) throw new SecretsUnavailableError(error);
    }
  }

  async function read(reference: DefinitionReference, names: Names): Promise<ProbeSecret[]> {
    const { accountId } = reference;
    const stale = names.filter((name) => measureAge(accountId, name) >= FRESH_MS);
    for (let start = 0; start < stale.length; start += SECRET_NAMES_MAX) {
      await refresh(reference, stale.slice(start, start + SECRET_NAMES_MAX));
    }
    return names.flatMap((name) => {
      const kept = cached.get(formatKey(accountId, name));
      return kept === undefined ? [] : [kept.secret];
    });
  }

  return { read };
}
