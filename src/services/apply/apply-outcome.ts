/** What apply answers: per object what was planned and what became of it. Shapes and refusals only. */

import { AppError } from '../../platform/errors';
import type { AppliedObject, AppliedSet } from '../../schemas/responses/apply';

export type ApplyProblem = NonNullable<AppliedObject['problem']>;

/** The refusal as an outcome; what is no refusal is thrown on. */
export function problemOf(error: unknown): ApplyProblem {
  if (!(error instanceof AppError)) throw error;
  return { code: error.code, detail: error.message, errors: error.errors };
}

export function summaryOf(objects: readonly AppliedObject[]): AppliedSet['summary'] {
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
