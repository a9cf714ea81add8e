/** The bodies of bulk actions: monitors or scenarios, selected by ids or by a filter, and the action for each. */
import { z } from 'zod';
import { givenGroupField, tagsField } from './fields';
import type { ShapeProblem } from './issues';
import { readList, readRecord } from './loose';
import { checkTypeField, pauseBody, resourceFilters } from './queries';

export const BULK_ITEMS_MAX = 500;

const idsField = z
  .array(z.string().min(1).max(100))
  .min(1)
  .max(BULK_ITEMS_MAX)
  .transform((ids) => [...new Set(ids)])
  .optional();

/** The actions on selected objects. Duplicate ids count once. */
function actionsOn<Filter extends z.ZodType>(filter: Filter) {
  const selection = { ids: idsField, filter: filter.optional() };
  return z.discriminatedUnion('action', [
    z.strictObject({ ...selection, action: z.literal('pause'), ...pauseBody.shape }),
    z.strictObject({ ...selection, action: z.literal('resume') }),
    z.strictObject({ ...selection, action: z.literal('delete') }),
    z.strictObject({ ...selection, action: z.literal('tag'), add: tagsField, remove: tagsField }),
    z.strictObject({ ...selection, action: z.literal('group'), group: givenGroupField }),
  ]);
}

const findProblems = (sent: unknown): readonly ShapeProblem[] => {
  const body = readRecord(sent);
  return [...findSelectionProblems(body), ...findTagProblems(body)];
};

export const monitorBulkBody = {
  shape: actionsOn(z.strictObject(resourceFilters)),
  findProblems,
};

export const checkBulkBody = {
  shape: actionsOn(z.strictObject({ ...resourceFilters, type: checkTypeField })),
  findProblems,
};

export type CheckBulkBody = z.output<typeof checkBulkBody.shape>;

/** Refuses an empty filter: it would select everything, which must not happen by accident. */
function findSelectionProblems(body: Readonly<Record<string, unknown>>): ShapeProblem[] {
  const { ids, filter } = body;
  if ((ids === undefined) === (filter === undefined)) {
    const message = 'or filter must be given, but not both';
    return [{ path: 'ids', code: 'invalid_value', message }];
  }
  if (filter === undefined || Object.keys(readRecord(filter)).length > 0) return [];
  return [{ path: 'filter', code: 'required', message: 'must contain at least one condition' }];
}

function findTagProblems(body: Readonly<Record<string, unknown>>): ShapeProblem[] {
  const isTagging = body['action'] === 'tag';
  if (!isTagging || readList(body['add']).length > 0 || readList(body['remove']).length > 0)
    return [];
  return [{ path: 'add', code: 'required', message: 'or remove must name a tag' }];
}
