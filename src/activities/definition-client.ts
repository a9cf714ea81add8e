/**
 * Definitions for a probe: read once from the API, then kept. A revision never changes, so what was
 * read once serves while the API is away.
 */
import type { Definition } from '../contracts/definition';
import { type DefinitionReference, definitionPath } from '../contracts/probe-protocol';
import { createLruCache } from '../platform/lru-cache';
import { askPatiently } from './ask-patiently';
import type { InternalApiClient } from './internal-api-client';

/** More than a probe may have watches: checks come in turn, so that a smaller cache would miss each time. */
const CACHED_MAX = 25_000;

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
  /** Throws DefinitionUnavailableError after about 3 s without a response, and after 5 s at most. */
  readonly read: (reference: DefinitionReference) => Promise<Definition>;
}

/** Simultaneous reads of one revision share one request. */
export function createDefinitionClient({
  fetchDefinition,
}: Pick<InternalApiClient, 'fetchDefinition'>): DefinitionClient {
  const cached = createLruCache<Definition>(CACHED_MAX);
  const reading = new Map<string, Promise<Definition>>();

  /** Also what comes too late for who asked is kept: it is asked for again soon. */
  async function fetchAndKeep(path: string): Promise<Definition | null> {
    const definition = await fetchDefinition(path);
    if (definition !== null) cached.set(path, definition);
    return definition;
  }

  async function readPatiently(path: string): Promise<Definition> {
    try {
      const definition = await askPatiently(() => fetchAndKeep(path));
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
    const pending = reading.get(path) ?? readPatiently(path);
    reading.set(path, pending);
    return pending;
  }

  return { read };
}
