/**
 * Goes through the sources of a server in their order and takes the first that has it. It knows
 * nothing of the servers themselves.
 */
import type { Progress } from './progress';

/** What a source gives: the server, or one phrase that says why not. */
export type Attempt<Found> =
  | { readonly found: Found }
  | {
      readonly missed: string;
      /** Something is there, and cannot be used: people may want to know. */
      readonly isFault?: true;
    };

export interface Source<Found> {
  /** Returns what it found or why not; an exception is a fault with its message. */
  readonly look: () => Promise<Attempt<Found>>;
}

/** What is looked for, and the sentence that helps when it cannot be found. */
export interface Sought<Found> {
  readonly name: string;
  readonly advice: string;
  /** What was found, in a few words. */
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
 * Returns what the first successful source found, and says so. Faults of the sources before it are said, too; that a
 * server is simply not there is said only when none of them has it.
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
