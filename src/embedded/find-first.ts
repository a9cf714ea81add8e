/**
 * Tries the sources of a server in order and uses the first that has it. It knows nothing about the
 * servers themselves.
 */
import type { Progress } from './progress';

/** The result of a source: the server, or a phrase that says why the source has no server. */
export type Attempt<Found> =
  | { readonly found: Found }
  | {
      readonly missed: string;
      /** A server is there but cannot be used, which users may want to know. */
      readonly isFault?: true;
    };

export interface Source<Found> {
  /** Returns the server, or why the source has no server. An exception counts as a fault, described by its message. */
  readonly look: () => Promise<Attempt<Found>>;
}

/** The thing to find, and advice for when it cannot be found. */
export interface Sought<Found> {
  readonly name: string;
  readonly advice: string;
  /** Describes the found server in a few words. */
  readonly describe: (found: Found) => string;
}

/** No source had the server; the message names every attempt. */
class ServerNotFoundError extends Error {
  constructor({ name, advice }: Pick<Sought<never>, 'name' | 'advice'>, misses: readonly string[]) {
    super(`Found no ${name}: ${misses.join('; ')}. ${advice}`);
    this.name = 'ServerNotFoundError';
  }
}

async function attempt<Found>(source: Source<Found>): Promise<Attempt<Found>> {
  try {
    return await source.look();
  } catch (error) {
    return { missed: error instanceof Error ? error.message : String(error), isFault: true };
  }
}

/**
 * Returns the server of the first successful source, and reports it. Faults of earlier sources are also reported.
 * Sources that simply lack the server are mentioned only in the error when no source has it.
 */
export async function findFirst<Found>(
  what: Sought<Found>,
  sources: readonly Source<Found>[],
  progress: Progress,
): Promise<Found> {
  const misses: string[] = [];
  for (const source of sources) {
    const result = await attempt(source);
    if ('found' in result) {
      progress.say(`✓ ${what.name}: ${what.describe(result.found)}`);
      return result.found;
    }
    misses.push(result.missed);
    if (result.isFault === true) progress.say(`${what.name}: ${result.missed}`);
  }
  throw new ServerNotFoundError(what, misses);
}
