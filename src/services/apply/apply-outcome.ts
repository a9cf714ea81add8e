/** What apply answers: per object what was planned and what became of it. Shapes and refusals only. */
import type { FieldChange } from '../../domain/definitions/field-changes';
import { AppError, type FieldProblem } from '../../platform/errors';
import type { ObjectKind } from './apply-kind';

export type ApplyAction = 'create' | 'update' | 'delete' | 'unchanged';

export interface ApplyProblem {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly FieldProblem[];
}

export interface AppliedObject {
  readonly kind: ObjectKind;
  /** Installed in its list; null for what is pruned. */
  readonly index: number | null;
  readonly key: string | null;
  /** null: it is not there, and was not made. */
  readonly id: string | null;
  readonly name: string | null;
  readonly action: ApplyAction;
  readonly changes: readonly FieldChange[];
  /** `skipped`: not pruned, because another object failed. */
  readonly outcome: 'planned' | 'done' | 'failed' | 'skipped';
  readonly problem: ApplyProblem | null;
  /** Secrets that it names and the account does not have. */
  readonly missingSecrets: readonly string[];
  /** Of a webhook that was made; shown this once. */
  readonly signingSecret?: string;
}

export interface AppliedSet {
  readonly set: string;
  readonly dryRun: boolean;
  readonly summary: Readonly<Record<ApplyAction | 'failed' | 'skipped', number>>;
  readonly objects: readonly AppliedObject[];
  readonly missingSecrets: readonly string[];
}

/** The refusal as an outcome; what is no refusal is thrown on. */
export function problemOf(error: unknown): ApplyProblem {
  if (!(error instanceof AppError)) throw error;
  return { code: error.code, detail: error.message, errors: error.errors };
}

export function summaryOf(objects: readonly AppliedObject[]): AppliedSet['summary'] {
  const count = (isMeant: (object: AppliedObject) => boolean): number =>
    objects.filter(isMeant).length;
  const went = (action: ApplyAction): number =>
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
