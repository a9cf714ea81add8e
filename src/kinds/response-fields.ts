/** Derives a kind's fields in responses. Every field is present, and values have no limits. */
import { z } from 'zod';

export function toResponseFields(fields: Readonly<Record<string, z.ZodType>>): z.ZodRawShape {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, responseShape(field)]),
  );
}

function responseShape(shape: z.core.$ZodType): z.core.$ZodType {
  if (shape instanceof z.ZodDefault) return responseShape(shape.def.innerType);
  if (shape instanceof z.ZodPipe) return responseShape(shape.in);
  if (shape instanceof z.ZodString) return z.string();
  if (shape instanceof z.ZodNumber) return shape.isInt ? z.int() : z.number();
  if (shape instanceof z.ZodBoolean) return z.boolean();
  if (shape instanceof z.ZodArray) return z.array(responseShape(shape.element));
  if (shape instanceof z.ZodRecord) return z.record(z.string(), responseShape(shape.valueType));
  if (!(shape instanceof z.ZodNullable)) return shape;
  const inner = responseShape(shape.def.innerType);
  return inner === shape.def.innerType ? shape : z.nullable(inner);
}
