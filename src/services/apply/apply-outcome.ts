/** The response of apply, with the plan and the outcome of each object. Contains only schemas and errors. */

import { AppError } from '../../platform/errors';
import { readRecord } from '../../schemas/loose';
import type { AppliedObject, AppliedSet } from '../../schemas/responses/apply';

/** Ids of channels begin with this text. */
const CHANNEL_PREFIX = 'chn_';

export type ApplyProblem = NonNullable<AppliedObject['problem']>;

/** Turns an AppError into an outcome. Rethrows any other error. */
export function readProblem(error: unknown): ApplyProblem {
  if (!(error instanceof AppError)) throw error;
  return { code: error.code, detail: error.message, errors: error.errors };
}

const CHANNEL_PATH = /^alerts\.channels\[(\d+)\]$/;

/**
 * Adds the key of an unknown channel to the problem. Files name channels by key, but the schema of a body knows only
 * ids.
 */
export function nameUnknownChannels(
  problem: ApplyProblem,
  entry: Readonly<Record<string, unknown>>,
): ApplyProblem {
  const named = readRecord(entry['alerts'])['channels'];
  const channels: readonly unknown[] = Array.isArray(named) ? named : [];
  const errors = problem.errors.map((fault) => {
    const [, index] = CHANNEL_PATH.exec(fault.path) ?? [];
    const reference = index === undefined ? undefined : channels[Number(index)];
    if (typeof reference !== 'string' || reference.startsWith(CHANNEL_PREFIX)) return fault;
    return { ...fault, message: `must name a channel: no channel has the key ${reference}` };
  });
  return { ...problem, errors };
}

export function countOutcomes(objects: readonly AppliedObject[]): AppliedSet['summary'] {
  const count = (isMeant: (object: AppliedObject) => boolean): number =>
    objects.filter(isMeant).length;
  const went = (action: AppliedObject['action']): number =>
    count((object) => object.action === action && !['failed', 'skipped'].includes(object.outcome));
  return {
    create: went('create'),
    update: went('update'),
    delete: went('delete'),
    unchanged: went('unchanged'),
    failed: count(({ outcome }) => outcome === 'failed'),
    skipped: count(({ outcome }) => outcome === 'skipped'),
  };
}
