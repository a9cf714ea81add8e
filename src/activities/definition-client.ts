/**
 * Reads definitions from the API and caches them. A revision never changes, so a probe can use it while the API is
 * down.
 */
import type { Definition } from '../contracts/definition';
import { type DefinitionReference, definitionPath } from '../contracts/probe-protocol';
import { createLruCache } from '../platform/lru-cache';
import type { InternalApiClient } from './internal-api-client';
import { retryCall } from './retry-call';

/**
 * Must be larger than the number of watches of a probe. Watches need their definitions in turn, so a smaller cache
 * would always have dropped the next definition.
 */
const CACHED_MAX = 25_000;

/**
 * Thrown if the definition does not exist any more, or if the API is down and the definition is not cached. No request
 * was sent to the target.
 */
export class DefinitionUnavailableError extends Error {
  /** True if the API said that this revision does not exist. */
  readonly isMissing: boolean;

  constructor(message: string, isMissing: boolean, cause?: unknown) {
    super(message, { cause });
    this.name = 'DefinitionUnavailableError';
    this.isMissing = isMissing;
  }
}

export interface DefinitionClient {
  /**
   * Returns the definition. If it is not cached and the API does not respond, throws DefinitionUnavailableError after 3
   * to 5 s.
   */
  readonly read: (reference: DefinitionReference) => Promise<Definition>;
}

/** Creates a client with a cache. Simultaneous reads of one revision share one request. */
export function createDefinitionClient({
  fetchDefinition,
}: Pick<InternalApiClient, 'fetchDefinition'>): DefinitionClient {
  const cached = createLruCache<Definition>(CACHED_MAX);
  const reading = new Map<string, Promise<Definition>>();

  /** The result is cached even after the caller has given up, because the definition will be needed again soon. */
  async function fetchAndCache(path: string): Promise<Definition | null> {
    const definition = await fetchDefinition(path);
    if (definition !== null) cached.set(path, definition);
    return definition;
  }

  async function readWithRetries(path: string): Promise<Definition> {
    try {
      const definition = await retryCall(() => fetchAndCache(path));
      if (definition !== null) return definition;
    } catch (reason) {
      throw new DefinitionUnavailableError('the API does not respond', false, reason);
    } finally {
      reading.delete(path);
    }
    throw new DefinitionUnavailableError('the definition no longer exists', true);
  }

  function read(reference: DefinitionReference): Promise<Definition> {
    const path = definitionPath(reference);
    const known = cached.get(path);
    if (known !== undefined) return Promise.resolve(known);
    const pending = reading.get(path) ?? readWithRetries(path);
    reading.set(path, pending);
    return pending;
  }

  return { read };
}
