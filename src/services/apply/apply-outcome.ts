/** The response of apply, with the plan and the outcome of each object. Contains only schemas and errors. */

import { AppError } from '../../platform/errors';
import type { AppliedObject, AppliedSet } from '../../schemas/responses/apply';

export type ApplyProblem = NonNullable<AppliedObject['problem']>;

/** Turns an AppError into an outcome. Rethrows any other error. */
export function readProblem(error: unknown): ApplyProblem {
  if (!(error instanceof AppError)) throw error;
  return { code: error.code, detail: error.message, errors: error.errors };
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
