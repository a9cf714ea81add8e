/** The bodies of bulk actions: monitors or scenarios, selected by ids or by a filter, and the action for each. */
import { z } from 'zod';
import { NETWORK_KINDS } from '../contracts/kinds';
import { findNearestWord } from '../domain/text/nearest-word';
import { listRequiredFieldNames } from '../kinds/shapes';
import { givenGroupField, tagsField } from './fields';
import type { ShapeProblem } from './issues';
import { readList, readRecord, readText } from './loose';
import { MONITOR_FIELD_NAMES } from './monitor';
import { checkTypeField, pauseBody, resourceFilters } from './queries';
import { SCENARIO_FIELD_NAMES } from './scenario';

export const BULK_ITEMS_MAX = 500;

const idsField = z
  .array(z.string().min(1).max(100))
  .min(1)
  .max(BULK_ITEMS_MAX)
  .transform((ids) => [...new Set(ids)])
  .optional()
  .describe('Ids of the objects; instead of `filter`');

const setFields = {
  set: z.record(z.string(), z.unknown()).default({}).meta({
    description: 'The fields to change, like a PATCH of each',
  }),
  unset: z.array(z.string().max(100)).default([]).meta({
    description: 'The names of fields that return to their defaults',
  }),
  dryRun: z.boolean().default(false).meta({ description: 'Return the plan, and change nothing' }),
};

/** Creates the schema of actions on selected objects. Duplicate ids count once. */
function actionsOn<Filter extends z.ZodType>(filter: Filter) {
  const selection = {
    ids: idsField,
    filter: filter
      .optional()
      .describe('Selects the objects, like the filters of their list; instead of `ids`'),
  };
  return z.discriminatedUnion('action', [
    z.strictObject({
      ...selection,
      action: z.literal('pause').describe('What to do with each object'),
      ...pauseBody.shape,
    }),
    z.strictObject({ ...selection, action: z.literal('resume') }),
    z.strictObject({ ...selection, action: z.literal('delete') }),
    z.strictObject({ ...selection, action: z.literal('tag'), add: tagsField, remove: tagsField }),
    z.strictObject({ ...selection, action: z.literal('group'), group: givenGroupField }),
    z.strictObject({ ...selection, action: z.literal('set'), ...setFields }),
  ]);
}

const findProblems = (sent: unknown): readonly ShapeProblem[] => {
  const body = readRecord(sent);
  return [...findSelectionProblems(body), ...findTagProblems(body), ...findSetProblems(body)];
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
export type SetFieldsBody = Extract<CheckBulkBody, { readonly action: 'set' }>;

/**
 * Reports a body that contains both ids and filter, or neither of them. Also reports an empty filter, because it would
 * select everything.
 */
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

/** Fields that a bulk edit cannot set, because they differ between monitors and scenarios. */
const FIXED_FIELDS: readonly string[] = [
  'name',
  'key',
  'type',
  'steps',
  'url',
  ...NETWORK_KINDS.flatMap(listRequiredFieldNames),
];
const SETTABLE: readonly string[] = [
  ...new Set([...MONITOR_FIELD_NAMES, ...SCENARIO_FIELD_NAMES]),
].filter((name) => !FIXED_FIELDS.includes(name) && name !== 'enabled');

function findSetProblems(body: Readonly<Record<string, unknown>>): readonly ShapeProblem[] {
  if (body['action'] !== 'set') return [];
  const set = readRecord(body['set']);
  const unset = readList(body['unset']).map(readText);
  if (Object.keys(set).length + unset.length === 0)
    return [{ path: 'set', code: 'required', message: 'or unset must name a field' }];
  return [
    ...Object.keys(set).flatMap((name) => findFieldProblems(name, `set.${name}`)),
    ...unset.flatMap((name, index) => findFieldProblems(name, `unset[${index}]`)),
    ...unset.flatMap((name, index) =>
      name in set
        ? [{ path: `unset[${index}]`, code: 'invalid_value', message: `is in set, too: ${name}` }]
        : [],
    ),
    ...findSecretProblems(readRecord(set['variables'])),
  ];
}

function findFieldProblems(name: string, path: string): readonly ShapeProblem[] {
  if (SETTABLE.includes(name)) return [];
  if (name === 'enabled') {
    const message = 'cannot be set; use the actions pause and resume';
    return [{ path, code: 'invalid_value', message }];
  }
  if (FIXED_FIELDS.includes(name)) {
    const message = 'cannot be the same for many; change it in each monitor or scenario';
    return [{ path, code: 'invalid_value', message }];
  }
  const nearest = findNearestWord(name, SETTABLE);
  const hint =
    nearest === null ? `; known fields: ${SETTABLE.join(', ')}` : ` (did you mean ${nearest}?)`;
  const message = `is unknown${hint}`;
  return [{ path, code: 'unknown_field', message }];
}

/** Reports secret values. A rollout is stored and shown, so it must not contain any. */
function findSecretProblems(variables: Readonly<Record<string, unknown>>): ShapeProblem[] {
  const message = 'must not be a secret value; store a secret and refer to it as {{secret:name}}';
  return Object.entries(variables).flatMap(([name, value]) =>
    readRecord(value)['secret'] === true
      ? [{ path: `set.variables.${name}`, code: 'invalid_value', message }]
      : [],
  );
}
