/**
 * Goes through the sources of a server in their order and takes the first that has it. It knows
 * nothing of the servers themselves.
 */
import type { Progress } from './progress';

/** What a source answers: the server, or one phrase that says why not. */
export type Attempt<Found> = { readonly found: Found } | { readonly missed: string };

export interface Source<Found> {
  /** Returns what it found or why not; an exception counts as a miss with its message. */
  readonly look: () => Promise<Attempt<Found>>;
}

/** What is looked for, and the sentence that helps when it cannot be found. */
export interface Sought {
  readonly name: string;
  readonly advice: string;
}

/** No source had the server; the message names every attempt. */
class ServerNotFoundError extends Error {
  constructor({ name, advice }: Sought, misses: readonly string[]) {
    super(`Found no ${name}: ${misses.join('; ')}. ${advice}`);
    this.name = 'ServerNotFoundError';
  }
}

async function attempt<Found>(source: Source<Found>): Promise<Attempt<Found>> {
  try {
    return await source.look();
  } catch (error) {
    return { missed: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns what the first successful source found; each miss is said in words on the way. */
export async function findFirst<Found>(
  what: Sought,
  sources: readonly Source<Found>[],
  progress: Progress,
): Promise<Found> {
  const misses: string[] = [];
  for (const source of sources) {
    const result = await attempt(source);
    if ('found' in result) return result.found;
    misses.push(result.missed);
    progress.say(`${what.name}: ${result.missed}`);
  }
  throw new ServerNotFoundError(what, misses);
}
