// Runs a list of writes: decides which writes share a transaction, and collects the error of each rejected write.
import { DatabaseError } from '../errors';
import { isTruthy } from '../query/value-tests';
import type { BsonDocument } from '../values/bson-values';
import type { CommandCall } from './command';

const INSERTS_PER_TRANSACTION = 500;

/** The counts and errors of a list of writes. */
export interface Tally {
  n: number;
  modified: number;
  readonly upserted: BsonDocument[];
  readonly errors: BsonDocument[];
}

function emptyTally(): Tally {
  return { n: 0, modified: 0, upserted: [], errors: [] };
}

/**
 * One write of a list. Consecutive `immediate` writes share a transaction. An `own` write runs in transactions of its
 * own.
 */
export type Step =
  | { readonly kind: 'immediate'; readonly run: (tally: Tally) => void }
  | { readonly kind: 'own'; readonly run: (tally: Tally) => Promise<void> };

/** Runs the steps in order. An ordered list ends at its first error. */
export async function runSteps(call: CommandCall, steps: readonly Step[]): Promise<Tally> {
  const ordered = call.body['ordered'] === undefined || isTruthy(call.body['ordered']);
  const total = emptyTally();
  for (let at = 0; at < steps.length; ) {
    const step = steps[at];
    if (step?.kind === 'own') {
      await runOwn(total, at, step);
      at += 1;
    } else {
      const end = endOfRun(steps, at);
      await runShared(call, total, { steps, from: at, to: end, ordered });
      at = end;
    }
    if (ordered && total.errors.length > 0) break;
  }
  return total;
}

function endOfRun(steps: readonly Step[], from: number): number {
  let end = from;
  while (end < steps.length && end - from < INSERTS_PER_TRANSACTION && steps[end]?.kind !== 'own') {
    end += 1;
  }
  return end;
}

async function runOwn(total: Tally, index: number, step: Step): Promise<void> {
  try {
    await step.run(total);
  } catch (error) {
    total.errors.push(writeError(index, error));
  }
}

interface Run {
  readonly steps: readonly Step[];
  readonly from: number;
  readonly to: number;
  readonly ordered: boolean;
}

// Runs several writes in one transaction. The transaction may be repeated, so each attempt counts from zero.
async function runShared(call: CommandCall, total: Tally, run: Run): Promise<void> {
  const shrinks = call.name === 'delete';
  const attempt = () => {
    const tally = emptyTally();
    for (let index = run.from; index < run.to; index++) {
      if (run.ordered && tally.errors.length > 0) break;
      runImmediate(tally, index, run.steps[index]);
    }
    return tally;
  };
  const part = await call.services.store.write(attempt, { shrinks });
  total.n += part.n;
  total.modified += part.modified;
  total.upserted.push(...part.upserted);
  total.errors.push(...part.errors);
}

function runImmediate(tally: Tally, index: number, step: Step | undefined): void {
  if (step?.kind !== 'immediate') return;
  try {
    step.run(tally);
  } catch (error) {
    tally.errors.push(writeError(index, error));
  }
}

// Errors that end the whole command: full disk, timeout, killed command.
const WHOLE_COMMAND_CODES: ReadonlySet<number> = new Set([50, 237, 14031]);

function writeError(index: number, error: unknown): BsonDocument {
  if (!(error instanceof DatabaseError) || WHOLE_COMMAND_CODES.has(error.code)) throw error;
  return { index, code: error.code, ...error.details, errmsg: error.message };
}

/** Formats the errors for a reply. */
export function formatErrors(tally: Tally): BsonDocument {
  return tally.errors.length > 0 ? { writeErrors: tally.errors } : {};
}
