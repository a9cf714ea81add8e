/**
 * Definitions for a probe: read once from the API, then kept. A revision never changes, so what was
 * read once serves while the API is away.
 */
import type { Definition } from '../contracts/definition';
import { type DefinitionReference, definitionPath } from '../contracts/probe-protocol';
import { askPatiently } from './ask-patiently';
import type { InternalApiClient } from './internal-api-client';
import { createLruCache } from './lru-cache';

const CACHED_MAX = 5_000;

/** The definition can't be had: gone, or the API is away and nothing was cached. Nothing was sent. */
export class DefinitionUnavailableError extends Error {
  /** True when the API said that there is no such revision. */
  readonly isMissing: boolean;

  constructor(message: string, isMissing: boolean, cause?: unknown) {
    super(message, { cause });
    this.name = 'DefinitionUnavailableError';
    this.isMissing = isMissing;
  }
}

export interface DefinitionClient {
  /** Throws DefinitionUnavailableError after about 3 s without a response. */
  readonly read: (reference: DefinitionReference) => Promise<Definition>;
}

/** Simultaneous reads of one revision share one request. */
export function createDefinitionClient({
  fetchDefinition,
}: Pick<InternalApiClient, 'fetchDefinition'>): DefinitionClient {
  const cached = createLruCache<Definition>(CACHED_MAX);
  const reading = new Map<string, Promise<Definition>>();

  async function fetchPatiently(path: string): Promise<Definition> {
    const definition = await askPatiently(() => fetchDefinition(path)).catch((reason: unknown) => {
      throw new DefinitionUnavailableError('the API does not respond', false, reason);
    });
    if (definition !== null) return definition;
    throw new DefinitionUnavailableError('the definition no longer exists', true);
  }

  async function readAndKeep(path: string): Promise<Definition> {
    try {
      const definition = await fetchPatiently(path);
      cached.set(path, definition);
      return definition;
    } finally {
      reading.delete(path);
    }
  }

  function read(reference: DefinitionReference): Promise<Definition> {
    const path = definitionPath(reference);
    const known = cached.get(path);
    if (known !== undefined) return Promise.resolve(known);
    const pending = reading.get(path) ?? readAndKeep(path);
    reading.set(path, pending);
    return pending;
  }

  return { read };
}
