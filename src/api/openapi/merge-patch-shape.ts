/**
 * The shape of a JSON merge patch (RFC 7396), for the reference only. A patch is validated after merging, with the
 * body's own shape.
 */
import { z } from 'zod';
import { findObject } from './shape-facts';

/** Every field is optional, and nullable if null resets it to its default. */
export function mergePatchShape(body: z.ZodType): z.ZodObject {
  const fields = Object.entries(findObject(body)?.shape ?? {}).map(([name, field]) => {
    const change = changeShape(field);
    const isNullable = field._zod.optin !== undefined && !(change instanceof z.ZodCustom);
    return [name, isNullable ? z.nullish(change) : z.optional(change)] as const;
  });
  return z.strictObject(Object.fromEntries(fields));
}

/** The schema of a field in a patch: without its default. Objects are patched recursively. */
function changeShape(field: z.core.$ZodType): z.core.$ZodType {
  if (field instanceof z.ZodDefault || field instanceof z.ZodPrefault)
    return changeShape(field.unwrap());
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable)
    return changeShape(field.unwrap());
  if (field instanceof z.ZodPipe) return changeShape(field.in);
  return field instanceof z.ZodObject ? mergePatchShape(field) : field;
}
