/** A saved view of the list of checks: a named set of filters, as in the page's URL (docs/api.md). */
import { z } from 'zod';
import {
  CHECK_COLUMNS,
  CHECK_GROUPINGS,
  CHECK_KINDS,
  CHECK_LISTS,
  HIDEABLE_COLUMNS,
} from '../contracts/check-list';
import { lineField, tagField } from './fields';
import { SHOWN_STATUSES } from './queries';
import { ignoringReadOnly } from './read-only';

/** Returns the schema of a comma-separated list of the given words, as in a URL. */
function wordsShape(words: readonly string[]) {
  const one = `(?:${words.join('|')})`;
  return z
    .string()
    .max(200)
    .regex(new RegExp(`^${one}(?:,${one})*$`), `must be some of ${words.join(', ')}`);
}

const query = z.strictObject({
  q: lineField.min(1).max(100).optional().describe('Search text'),
  type: z.enum(CHECK_KINDS).optional().describe('Type of the checks'),
  group: lineField.min(1).max(300).optional().describe('Group, with its subgroups'),
  tag: tagField.optional().describe('Tag of the checks'),
  region: z.string().min(1).max(32).optional().describe('Region of the checks'),
  status: wordsShape(SHOWN_STATUSES).optional().describe('Statuses, separated by commas'),
  sort: z
    .string()
    .regex(
      new RegExp(`^-?(?:${CHECK_COLUMNS.join('|')})$`),
      `must be one of ${CHECK_COLUMNS.join(', ')}, after a - for descending`,
    )
    .optional()
    .describe('Column to sort by, after a `-` for descending'),
  by: z
    .enum(CHECK_GROUPINGS)
    .optional()
    .meta({ description: 'Property by which rows are grouped' }),
  rows: z.literal('compact').optional().describe('`compact`: rows are lower'),
  hide: wordsShape(HIDEABLE_COLUMNS).optional().meta({ description: 'Hidden columns' }),
});

export const savedViewBody = z.strictObject({
  name: lineField.min(1).max(100).describe('Name of the view'),
  list: z
    .enum(CHECK_LISTS)
    .default('checks')
    .meta({ description: 'The list that the view belongs to' }),
  query: query.default({}).meta({ description: 'Parameters in the URL of the list' }),
  isShared: z
    .boolean()
    .default(false)
    .meta({ description: 'false: only the person who created the view sees it' }),
});
export type SavedViewBody = z.output<typeof savedViewBody>;

/** The body of PATCH. It also accepts the read-only fields of a response, and ignores them. */
export const savedViewReplacement = ignoringReadOnly(savedViewBody, [
  'id',
  'version',
  'createdBy',
  'createdAt',
  'updatedAt',
]);
