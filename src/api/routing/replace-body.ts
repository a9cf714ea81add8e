/**
 * Bodies of PUT: a whole definition, in which the read-only fields of a response may stand. They are
 * left out before the shape is held against the rest; any other unknown field is refused.
 */
import type { z } from 'zod';
import { isRecord } from '../../contracts/json';
import type { CheckedShape } from '../../schemas/issues';
import { ignoringReadOnly, withoutFields } from '../../schemas/read-only';

/** As `checked`, for what a client read from us and sends back. */
export function replacementOf<Body>(
  checked: CheckedShape<z.ZodType<Body>>,
  readOnlyFields: readonly string[],
): CheckedShape<z.ZodType<Body>> {
  return {
    shape: ignoringReadOnly(checked.shape, readOnlyFields),
    findProblems: (sent) => checked.findProblems(withoutFields(sent, readOnlyFields)),
  };
}

/** True when the body says whether the resource is enabled; a silent one leaves a pause alone. */
export function saysEnabled(sent: unknown): boolean {
  return isRecord(sent) && typeof sent['enabled'] === 'boolean';
}
