/**
 * The body of apply: a whole set of objects. Each object is validated separately later, so that an invalid object does
 * not block the others.
 */
import { z } from 'zod';
import { PATTERNS_SIZE_MAX } from '../domain/assertions/pattern-size';
import { KEY_PATTERN } from './fields';
import type { ShapeProblem } from './issues';
import { readList, readRecord } from './loose';

export const APPLY_OBJECTS_MAX = 2_000;
/** The size limit of all patterns in a set. Each object is also validated separately. */
const SET_PATTERNS_SIZE_MAX = 10 * PATTERNS_SIZE_MAX;

/** The lists of a set, in the order in which they are applied. */
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

/** The `kind` of a document that contains a single object of the list. */
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

/** The `kind` of an applied object. All routes together are one object. All variables together are one object, too. */
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
      description:
        'Monitors as in POST /v1/monitors, each with a key. An entry with a matrix makes several',
    }),
    scenarios: objects.meta({
      description:
        'Scenarios as in POST /v1/scenarios, each with a key. An entry with a matrix makes several',
    }),
    alertChannels: objects.meta({
      description: 'Channels as in POST /v1/alert-channels, each with a key',
    }),
    alertPolicies: objects.meta({
      description: 'Policies as in POST /v1/alert-policies, each with a key',
    }),
    alertRoutes: objects.meta({
      description: 'All routes of the account in their order, as in PUT /v1/alert-routes',
    }),
    hours: objects.meta({ description: 'Hours as in POST /v1/hours, each with a key' }),
    profiles: objects.meta({ description: 'Profiles as in POST /v1/profiles, each with a key' }),
    maintenanceWindows: objects.meta({
      description: 'Windows as in POST /v1/maintenance-windows, each with a key',
    }),
    variables: objects.meta({
      description: 'All variables of the account, each with a name and a value',
    }),
    environments: objects.meta({
      description: 'Environments as in POST /v1/environments, each with a key',
    }),
    statusPages: objects.meta({
      description:
        'Status pages as in POST /v1/status-pages, each with a key. Items may refer to checks by key',
    }),
    set: z.string().regex(KEY_PATTERN).default(DEFAULT_SET).meta({
      description:
        'Name of the set. `prune` deletes only objects that apply created under this name',
    }),
    dryRun: z.boolean().default(false),
    planHash: z.string().min(1).max(200).optional().meta({
      description: 'Hash of the plan that a dry run returned. A set with another plan is refused',
    }),
    prune: z.boolean().default(false),
    pruneMax: z.int().min(1).max(APPLY_OBJECTS_MAX).optional().meta({
      description:
        'Maximum number of objects that `prune` may delete. Default: half of the set, at least 5',
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
