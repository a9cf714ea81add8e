/** Tries the sources of a server in order and uses the first source that has the server. */
import type { Progress } from './progress';

/** The server, or the reason why the source has none. */
export type Attempt<Found> =
  | { readonly found: Found }
  | {
      readonly missed: string;
      /** True if the server is there but cannot be used. */
      readonly isFault?: true;
    };

export interface Source<Found> {
  /** Looks for the server. An exception is treated as a fault. */
  readonly look: () => Promise<Attempt<Found>>;
}

/** The server to find, and advice for the user if it is not found. */
export interface Sought<Found> {
  readonly name: string;
  readonly advice: string;
  /** Describes the found server in a few words. */
  readonly describe: (found: Found) => string;
}

/** Thrown if no source had the server. The message names every attempt. */
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
 * Returns the server of the first source that has one. Reports this server, and the faults of the sources before it. If
 * no source has one, throws an error with all reasons.
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
