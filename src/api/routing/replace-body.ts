/**
 * Bodies of PUT: a whole definition. Removes the read-only fields of a response; any other unknown field is refused.
 */
import { z } from 'zod';
import { isRecord } from '../../contracts/json';
import type { CheckedShape } from '../../schemas/issues';
import { ignoringReadOnly, withoutFields } from '../../schemas/read-only';

/** Any object. The use case validates it, because that depends on stored objects. */
export const RAW_BODY = z.looseObject({});

/** Extends `checked`: also accepts a response that a client sends back as a body. */
export function replacementShape<Body>(
  checked: CheckedShape<z.ZodType<Body>>,
  readOnlyFields: readonly string[],
): CheckedShape<z.ZodType<Body>> {
  const { finish } = checked;
  return {
    ...(finish !== undefined && {
      finish: (value: Body, sent: unknown) => finish(value, withoutFields(sent, readOnlyFields)),
    }),
    shape: ignoringReadOnly(checked.shape, readOnlyFields),
    findProblems: (sent) => checked.findProblems(withoutFields(sent, readOnlyFields)),
  };
}

/** True if the body says whether the resource is enabled. Otherwise, a paused resource stays paused. */
export function saysEnabled(sent: unknown): sent is { readonly enabled: boolean } {
  return isRecord(sent) && typeof sent['enabled'] === 'boolean';
}
