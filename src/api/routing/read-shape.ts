/** Validates bodies and queries against their schemas. All problems are reported at once. */
import type { z } from 'zod';
import { AppError } from '../../platform/errors';
import {
  type CheckedShape,
  type ReadJson,
  type Validated,
  validate,
  validateJson,
} from '../../schemas/issues';
import { refuseProblems } from '../../services/lists/field-problems';

/** A plain schema, or a schema with rules across its fields. */
export type BodyShape<Body> = z.ZodType<Body> | CheckedShape<z.ZodType<Body>>;

/** Returns the body with every default filled in. Throws `validation_failed`, or a more specific code. */
export function readBody<Body>(shape: BodyShape<Body>, body: unknown): Body {
  return accept(validate(shape, body));
}

/** Validates a body like `readBody`, but does not check its patterns, because they are never executed. */
export function readJson<Body>(shape: z.ZodType<Body>, read: ReadJson): Body {
  return accept(validateJson(shape, read));
}

function accept<Body>(checked: Validated<Body>): Body {
  if (checked.ok) return checked.value;
  refuseProblems(checked.problems);
  throw new AppError('validation_failed', 'Invalid request body.');
}

/** Returns the query with every default filled in. Throws `invalid_query`. */
export function readQuery<Query>(shape: z.ZodType<Query>, query: unknown): Query {
  const checked = validate(shape, query);
  if (checked.ok) return checked.value;
  const [first] = checked.problems;
  throw new AppError('invalid_query', `${first?.path ?? 'The query'} ${first?.message ?? ''}.`, {
    errors: checked.problems,
  });
}
