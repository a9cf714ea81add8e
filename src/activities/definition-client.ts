/**
 * Definitions for a probe: read once from the API, then kept. A revision never changes, so what was
 * read once serves while the API is away.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Definition } from '../contracts/definition';
import { type DefinitionReference, definitionPath } from '../contracts/probe-protocol';
import type { HubChannel } from './hub-channel';
import { createLruCache } from './lru-cache';

const CACHED_MAX = 5_000;

/** Waits between tries, 3 s in all: as long as a restart of the API takes. */
const RETRY_WAITS_MS = [100, 300, 600, 1_000, 1_000] as const;

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
  /** Throws DefinitionUnavailableError after about 3 s without an answer. */
  readonly read: (reference: DefinitionReference) => Promise<Definition>;
}

/** Simultaneous reads of one revision share one request. */
export function createDefinitionClient({
  fetchDefinition,
}: Pick<HubChannel, 'fetchDefinition'>): DefinitionClient {
  const cached = createLruCache<Definition>(CACHED_MAX);
  const reading = new Map<string, Promise<Definition>>();

  async function fetchPatiently(path: string): Promise<Definition> {
    let reason: unknown;
    for (const waitMs of [0, ...RETRY_WAITS_MS]) {
      if (waitMs > 0) await sleep(waitMs);
      try {
        const definition = await fetchDefinition(path);
        if (definition !== null) return definition;
        throw new DefinitionUnavailableError('the definition no longer exists', true);
      } catch (error) {
        if (error instanceof DefinitionUnavailableError) throw error;
        reason = error;
      }
    }
    throw new DefinitionUnavailableError('the API does not answer', false, reason);
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
