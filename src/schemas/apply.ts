/**
 * The body of apply: a whole set of objects. Each object is validated separately later, so that an invalid one does not
 * block the others.
 */
import { z } from 'zod';
import { PATTERNS_SIZE_MAX } from '../domain/assertions/pattern-size';
import { KEY_PATTERN } from './fields';
import type { ShapeProblem } from './issues';
import { readList, readRecord } from './loose';

export const APPLY_OBJECTS_MAX = 2_000;
/** Limit for a whole set. Each object is also validated separately. */
const SET_PATTERNS_SIZE_MAX = 10 * PATTERNS_SIZE_MAX;

/** Lists of a set, in the order in which they are applied. */
export const SET_LISTS = [
  'alertChannels',
  'hours',
  'alertPolicies',
  'alertRoutes',
  'maintenanceWindows',
  'variables',
  'environments',
  'profiles',
  'monitors',
  'scenarios',
  'statusPages',
] as const;
export type SetList = (typeof SET_LISTS)[number];

/** The `kind` of a document with a single object of the list. */
export const FILE_KINDS = {
  monitors: 'monitor',
  scenarios: 'scenario',
  alertChannels: 'alertChannel',
  alertPolicies: 'alertPolicy',
  alertRoutes: 'alertRoute',
  hours: 'hours',
  profiles: 'profile',
  maintenanceWindows: 'maintenanceWindow',
  statusPages: 'statusPage',
  variables: 'variable',
  environments: 'environment',
} as const satisfies Record<SetList, string>;

/** The `kind` of an applied object. Routes and variables are one object as a whole. */
export const OBJECT_KINDS = {
  alertChannels: 'alertChannel',
  alertPolicies: 'alertPolicy',
  alertRoutes: 'alertRoutes',
  hours: 'hours',
  profiles: 'profile',
  maintenanceWindows: 'maintenanceWindow',
  monitors: 'monitor',
  scenarios: 'scenario',
  statusPages: 'statusPage',
  variables: 'variables',
  environments: 'environment',
} as const satisfies Record<SetList, string>;

const DEFAULT_SET = 'default';

const objects = z.array(z.looseObject({})).default([]);

export const applyBody = {
  patternsSizeMax: SET_PATTERNS_SIZE_MAX,
  shape: z.strictObject({
    monitors: objects.meta({
      description: 'As POST /v1/monitors takes them, each with a key; a matrix makes several',
    }),
    scenarios: objects.meta({
      description: 'As POST /v1/scenarios takes them, each with a key; a matrix makes several',
    }),
    alertChannels: objects.meta({
      description: 'As POST /v1/alert-channels takes them, with a key',
    }),
    alertPolicies: objects.meta({
      description: 'As POST /v1/alert-policies takes them, each with a key',
    }),
    alertRoutes: objects.meta({
      description: 'All routes of the account in their order, as PUT /v1/alert-routes takes them',
    }),
    hours: objects.meta({ description: 'As POST /v1/hours takes them, each with a key' }),
    profiles: objects.meta({ description: 'As POST /v1/profiles takes them, each with a key' }),
    maintenanceWindows: objects.meta({
      description: 'As POST /v1/maintenance-windows takes them, each with a key',
    }),
    variables: objects.meta({
      description: 'All variables of the account, each with a name and a value',
    }),
    environments: objects.meta({
      description: 'As POST /v1/environments takes them, each with a key',
    }),
    statusPages: objects.meta({
      description: 'As POST /v1/status-pages takes them, each with a key; items may go by key, too',
    }),
    set: z.string().regex(KEY_PATTERN).default(DEFAULT_SET).meta({
      description: 'Name of the set; prune removes only what apply made under this name',
    }),
    dryRun: z.boolean().default(false),
    planHash: z.string().min(1).max(200).optional().meta({
      description: 'As a dry run returned it: apply only if the plan is still the same',
    }),
    prune: z.boolean().default(false),
    pruneMax: z.int().min(1).max(APPLY_OBJECTS_MAX).optional().meta({
      description: 'Refuse to prune more; by default half of the set, and at least 5',
    }),
  }),
  findProblems: (sent: unknown): readonly ShapeProblem[] => {
    const body = readRecord(sent);
    const count = SET_LISTS.reduce((sum, list) => sum + readList(body[list]).length, 0);
    if (count > APPLY_OBJECTS_MAX) {
      const message = `a set may hold at most ${APPLY_OBJECTS_MAX} objects`;
      return [{ path: '', code: 'out_of_bounds', message }];
    }
    if (count > 0 || body['prune'] !== true) return [];
    const message =
      'is not allowed with an empty set: it would delete everything that apply created';
    return [{ path: 'prune', code: 'invalid_value', message }];
  },
};

export type ApplyBody = z.output<typeof applyBody.shape>;
