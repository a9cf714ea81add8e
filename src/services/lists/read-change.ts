/**
 * Validates a body that replaces a stored body. Values that stay the same are never refused, so that a stricter rule
 * does not block changes of older objects.
 */
import { z } from 'zod';
import { isSameJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import {
  type CheckedShape,
  type ShapeProblem,
  type Validated,
  validate,
} from '../../schemas/issues';
import { withoutBounds } from '../../schemas/without-bounds';
import { refuseProblems } from './field-problems';

type Shape<Body> = z.ZodType<Body> | CheckedShape<z.ZodType<Body>>;

interface Bodies {
  readonly sent: unknown;
  /** The resource in the form in which clients read it. null for a new one. */
  readonly stored: unknown;
}

/** Returns the body with every default filled in. Throws `validation_failed` or a special code. */
export function readChange<Body>(shape: Shape<Body>, bodies: Bodies): Body {
  const checked = validateChange(shape, bodies);
  if (checked.ok) return checked.value;
  refuseProblems(checked.problems);
  throw new AppError('validation_failed', 'Invalid request body.');
}

/**
 * Like `validate`, but ignores problems of values that stay as stored. If a stored value has a wrong type, every
 * problem counts.
 */
function validateChange<Body>(shape: Shape<Body>, { sent, stored }: Bodies): Validated<Body> {
  const checked = validate(shape, sent);
  if (checked.ok || stored === null) return checked;
  const before = validate(shape, stored);
  const known = new Set(before.ok ? [] : before.problems.map(formatIdentity));
  const problems = checked.problems.filter(
    (problem) => !known.has(formatIdentity(problem)) || !isSameAt(problem.path, sent, stored),
  );
  if (problems.length > 0) return { ok: false, problems };
  if (shape instanceof z.ZodType) {
    const read = withoutBounds(shape).safeParse(sent);
    return read.success ? { ok: true, value: read.data } : checked;
  }
  const read = withoutBounds(shape.shape).safeParse(sent);
  if (!read.success) return checked;
  return { ok: true, value: shape.finish?.(read.data, sent) ?? read.data };
}

function formatIdentity({ path, code, message }: ShapeProblem): string {
  return JSON.stringify([path, code, message]);
}

function isSameAt(path: string, sent: unknown, stored: unknown): boolean {
  return isSameJson(valuesAt(path, sent), valuesAt(path, stored));
}

/** Returns the values at a path. Names of fields may contain dots, so one path can match several values. */
function valuesAt(path: string, value: unknown): readonly unknown[] {
  if (path === '') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => {
    const step = Array.isArray(value) ? `[${name}]` : name;
    if (!path.startsWith(step)) return [];
    const rest = path.slice(step.length);
    if (rest === '' || rest.startsWith('[')) return valuesAt(rest, child);
    return rest.startsWith('.') ? valuesAt(rest.slice(1), child) : [];
  });
}
