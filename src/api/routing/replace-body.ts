/**
 * Bodies of PUT: a whole definition. Removes the read-only fields of a response; any other unknown field is refused.
 */
import { z } from 'zod';
import { isRecord } from '../../contracts/json';
import { ignoringReadOnly, withoutFields } from '../../schemas/read-only';
import type { BodyShape } from './read-shape';

/** Any object. The use case validates it, because validation depends on stored objects. */
export const RAW_BODY = z.looseObject({});

/** Extends the schema, so that it also accepts a response that a client sends back as a body. */
export function toReplacementShape<Body>(
  checked: BodyShape<Body>,
  readOnlyFields: readonly string[],
): BodyShape<Body> {
  if (checked instanceof z.ZodType) return ignoringReadOnly(checked, readOnlyFields);
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
export function hasEnabled(sent: unknown): sent is { readonly enabled: boolean } {
  return isRecord(sent) && typeof sent['enabled'] === 'boolean';
}
