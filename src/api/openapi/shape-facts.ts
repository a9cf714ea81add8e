/** Reads facts from a schema that the reference needs and that JSON Schema cannot express. */
import { z } from 'zod';
import type { Route } from '../routing/route';

/** True for a single resource with a version: its responses have an entity tag. */
export function isVersioned(shape: z.core.$ZodType | undefined): boolean {
  if (shape instanceof z.ZodDiscriminatedUnion) return shape.options.every(isVersioned);
  // A dry run has the entity tag of the resource that it would change.
  if (shape instanceof z.ZodUnion) return shape.options.some(isVersioned);
  return shape instanceof z.ZodObject && 'version' in shape.shape && 'updatedAt' in shape.shape;
}

/** True for a page of a list with a cursor to the next page. */
export function isPaged(shape: z.ZodType | undefined): boolean {
  return shape instanceof z.ZodObject && 'nextCursor' in shape.shape;
}

/** The query parameters of a route by name. */
export function listQueryFields({ shapes }: Route): Readonly<Record<string, z.core.$ZodType>> {
  return findObject(shapes.query)?.shape ?? {};
}

/**
 * Returns the schema of the object that a client sends, without refinements and transformations. null means that the
 * schema is not an object.
 */
export function findObject(shape: unknown): z.ZodObject | null {
  if (shape instanceof z.ZodObject) return shape;
  if (!(shape instanceof z.ZodPipe)) return null;
  return findObject(shape.in instanceof z.ZodTransform ? shape.out : shape.in);
}
