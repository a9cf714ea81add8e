/**
 * Encodes cursors. A cursor is a position in a list. It is valid only for the same account, list and filters, and
 * grants no access.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { toCanonicalJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';

/** The account, the list and the filters for which a cursor is valid. */
export type CursorScope = Readonly<
  Record<string, string | number | readonly string[] | null | undefined>
>;

/** The position in lists that are ordered by id. */
export const ID_POSITION = z.tuple([z.string()]);

/** Encodes a cursor. Clients cannot read its content. */
export function encodeCursor(scope: CursorScope, position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([fingerprint(scope), ...position])).toString('base64url');
}

/**
 * Returns the position. Returns null without a cursor. Throws `invalid_cursor` if the cursor is malformed or belongs to
 * another list.
 */
export function decodeCursor<Position>(
  scope: CursorScope,
  cursor: string | undefined,
  shape: z.ZodType<Position>,
): Position | null {
  if (cursor === undefined) return null;
  const [given, ...position] = parseList(Buffer.from(cursor, 'base64url').toString());
  const parsed = shape.safeParse(position);
  if (given !== fingerprint(scope) || !parsed.success)
    throw new AppError('invalid_cursor', 'This cursor belongs to another list or other filters.');
  return parsed.data;
}

function parseList(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    throw new AppError('invalid_cursor', 'This is not a cursor.', { cause: error });
  }
}

function fingerprint(scope: CursorScope): string {
  return createHash('sha256').update(toCanonicalJson(scope)).digest('base64url').slice(0, 16);
}
