/**
 * The fields of a kind in steps of scenarios. Each text may contain references, and is validated after they are filled
 * in.
 */
import { z } from 'zod';
import { findReferences } from '../domain/templates/template';
import { report } from '../schemas/issues';
import { buildPlainMessage } from '../schemas/plain-message';

/**
 * Sample texts that replace references, so that the text around them can be validated: a label, a name, an IP address,
 * a URL, and bytes.
 */
const STAND_INS = ['x', 'example.com', '192.0.2.1', 'wss://example.com', 'AAAA'];

/**
 * Returns a copy of the schema that also accepts a text with references, if some values of the references make the text
 * valid.
 */
export function allowReferences<Shape extends z.core.$ZodType>(shape: Shape): Shape;
export function allowReferences(shape: z.core.$ZodType): z.core.$ZodType {
  if (shape instanceof z.ZodArray)
    return cloneWith(shape, { element: allowReferences(shape.element) });
  if (shape instanceof z.ZodRecord)
    return cloneWith(shape, { valueType: allowReferences(shape.valueType) });
  if (
    shape instanceof z.ZodNullable ||
    shape instanceof z.ZodOptional ||
    shape instanceof z.ZodDefault
  )
    return cloneWith(shape, { innerType: allowReferences(shape.def.innerType) });
  return isText(shape) ? described(referableText(shape), unwrapPipe(shape)) : shape;
}

/** Allows references in each of the fields. */
export function allowFieldReferences<Fields extends z.ZodRawShape>(fields: Fields): Fields;
export function allowFieldReferences(fields: z.ZodRawShape): z.ZodRawShape {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, allowReferences(field)]),
  );
}

/** True if the schema accepts texts. False for an enum. */
function isText(shape: z.core.$ZodType): boolean {
  const sent = unwrapPipe(shape);
  return sent instanceof z.ZodString || sent instanceof z.ZodStringFormat;
}

/** Returns the schema of the client's input, before any transformation. */
function unwrapPipe(shape: z.core.$ZodType): z.core.$ZodType {
  return shape instanceof z.ZodPipe ? unwrapPipe(shape.in) : shape;
}

function referableText(shape: z.core.$ZodType): z.ZodType {
  return z.string().transform((text, context) => {
    const candidates = candidatesFor(text).map((one) =>
      z.safeParse(shape, one, { error: buildPlainMessage }),
    );
    const [first] = candidates;
    if (candidates.some(({ success }) => success))
      return findReferences(text).length === 0 ? first?.data : text;
    for (const { message } of first?.error?.issues ?? [])
      report(context, [], { code: 'invalid_value', message });
    return z.NEVER;
  });
}

/**
 * Returns the text itself if it has no references. Otherwise, returns one text per sample, in which this sample
 * replaces all references.
 */
function candidatesFor(text: string): readonly string[] {
  const references = findReferences(text);
  if (references.length === 0) return [text];
  const between = references.map(({ start }, index) =>
    text.slice(references[index - 1]?.end ?? 0, start),
  );
  const pieces = [...between, text.slice(references.at(-1)?.end)];
  return STAND_INS.map((standIn) => pieces.join(standIn));
}

function cloneWith(shape: z.core.$ZodType, changes: object): z.core.$ZodType {
  return described(z.core.clone(shape, { ...shape._zod.def, ...changes }), shape);
}

/** Copies the description of `shape`, for the API reference. */
function described(copy: z.core.$ZodType, shape: z.core.$ZodType): z.core.$ZodType {
  const meta = z.globalRegistry.get(shape);
  if (meta !== undefined) z.globalRegistry.add(copy, meta);
  return copy;
}
