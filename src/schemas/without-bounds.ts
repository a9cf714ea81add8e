/**
 * Returns a schema without its limits. The returned schema reads values that were stored before a limit became
 * stricter. It must never be the only validation of client input.
 */
import { z } from 'zod';

/** Matches every text. It replaces the pattern of a format. */
const ANY_TEXT = /(?:)/;

/**
 * Returns the schema without its limits. If the original schema accepts an input, both schemas return the same output.
 */
export function withoutBounds<Shape extends z.core.$ZodType>(shape: Shape): Shape {
  if (shape instanceof z.ZodObject) {
    const fields = Object.entries(shape.shape).map(([name, field]) => [name, withoutBounds(field)]);
    return cloneWith(shape, { shape: Object.fromEntries(fields) });
  }
  if (shape instanceof z.ZodArray)
    return cloneWith(shape, { element: withoutBounds(shape.def.element) });
  if (shape instanceof z.ZodRecord)
    return cloneWith(shape, { valueType: withoutBounds(shape.def.valueType) });
  if (shape instanceof z.ZodUnion)
    return cloneWith(shape, { options: shape.def.options.map((option) => withoutBounds(option)) });
  if (shape instanceof z.ZodPipe)
    return cloneWith(shape, { in: withoutBounds(shape.def.in), out: withoutBounds(shape.def.out) });
  if (isWrapper(shape)) return cloneWith(shape, { innerType: withoutBounds(shape.def.innerType) });
  if (shape instanceof z.ZodStringFormat) return cloneWith(shape, { pattern: ANY_TEXT });
  return cloneWith(shape, {});
}

/**
 * Copies the schema with changes. Checks that change the value, such as trimming, are kept, because they are not
 * limits.
 */
function cloneWith<Shape extends z.core.$ZodType>(shape: Shape, changes: object): Shape {
  const { def } = shape._zod;
  const checks = (def.checks ?? []).filter((check) => check._zod.def.check === 'overwrite');
  return z.core.clone(shape, { ...def, ...changes, checks });
}

function isWrapper(
  shape: z.core.$ZodType,
): shape is z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodPrefault {
  return (
    shape instanceof z.ZodOptional ||
    shape instanceof z.ZodNullable ||
    shape instanceof z.ZodDefault ||
    shape instanceof z.ZodPrefault
  );
}
