/** Alert policies with their steps and quiet hours, and the routes that choose a policy (docs/alerts.md). */
import { z } from 'zod';
import { CHOSEN_KINDS } from '../contracts/alerting/alert-kinds';
import { ESCALATION_ENDS, ROUTED_TYPES, WEEKDAYS } from '../contracts/escalation';
import { isTimeZone } from './cron-times';
import { KEY_PATTERN, nameField, tagField } from './fields';
import type { CheckedShape, ShapeProblem } from './issues';
import { readList, readRecord } from './loose';
import { groupName } from './maintenance';
import { instantField } from './queries';

const STEPS_MAX = 10;
const NOTIFY_MAX = 20;
const DAY_MINUTES = 1_440;
const REPEATS_MAX = 50;

const reference = (what: string) => z.string().trim().min(1).max(320).meta({ description: what });

const contact = reference('Id or key of a channel, id or email of a member');
const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 22:00');

const step = z.strictObject({
  afterMinutes: z.int().min(0).max(DAY_MINUTES).meta({
    description:
      'Minutes since the incident opened, without the time in which it is acknowledged or snoozed',
  }),
  notify: z
    .array(contact)
    .min(1)
    .max(NOTIFY_MAX)
    .meta({ description: 'Recipients, which are notified at the same time' })
    .transform((names) => [...new Set(names)]),
  until: z
    .enum(ESCALATION_ENDS)
    .meta({
      description:
        'acknowledged: an acknowledgement stops the step; recovered: only a snooze and the recovery do',
    })
    .default('acknowledged'),
  repeat: z
    .strictObject({
      everyMinutes: z
        .int()
        .min(5)
        .max(DAY_MINUTES)
        .meta({ description: 'Minutes between two notifications' }),
      times: z.int().min(1).max(REPEATS_MAX).meta({ description: 'Maximum number of repetitions' }),
    })
    .nullable()
    .meta({ description: 'Repeats the notification of the same recipients' })
    .default(null),
  hours: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .nullable()
    .meta({ description: 'Key or id of hours. Outside of them, the step waits until they begin' })
    .default(null),
});

const quietHours = z.strictObject({
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'is not a time zone like Europe/Berlin')
    .meta({ description: 'Time zone of `from` and `to`, like Europe/Berlin' }),
  days: z
    .array(z.enum(WEEKDAYS))
    .min(1)
    .max(WEEKDAYS.length)
    .meta({ description: 'Days on which the quiet hours begin' })
    .transform((days) => WEEKDAYS.filter((day) => days.includes(day))),
  from: time.meta({ description: 'Time of day at which the quiet hours begin, like 22:00' }),
  to: time.meta({
    description:
      'Time of day at which the quiet hours end. A time before `from` is on the next day',
  }),
  except: z
    .array(tagField)
    .max(20)
    .transform((tags) => [...new Set(tags)])
    .default([])
    .meta({ description: 'Alerts of checks with one of these tags are never held back' }),
});

const policyKeyField = z
  .string()
  .regex(KEY_PATTERN, 'must be lower-case letters, digits, dots, _ and -');

const shape = z.strictObject({
  key: policyKeyField.meta({
    description: 'Identifier by which checks and routes refer to the policy. It never changes',
  }),
  name: nameField,
  steps: z
    .array(step)
    .min(1)
    .max(STEPS_MAX)
    .meta({ description: 'Steps, which notify people one after the other until someone responds' }),
  quietHours: quietHours
    .nullable()
    .meta({
      description: 'Alerts that are due during quiet hours are sent when the quiet hours end',
    })
    .default(null),
  lastResort: reference('Id or key of a channel')
    .nullable()
    .describe('Id or key of the channel that is used if no one else can be reached')
    .default(null),
});

export type AlertPolicyBody = z.output<typeof shape>;

/** Validates the body. Also checks the order of the steps, and that quiet hours have different start and end times. */
export const alertPolicyBody: CheckedShape<typeof shape> = {
  shape,
  findProblems: (body) => {
    const { steps, quietHours: quiet } = readRecord(body);
    const { from, to } = readRecord(quiet);
    const isEmpty = typeof from === 'string' && from === to;
    const message = 'must differ from the start of the quiet hours';
    return [
      ...orderProblems(readList(steps)),
      ...(isEmpty ? [{ path: 'quietHours.to', code: 'invalid_value', message }] : []),
    ];
  },
};

function orderProblems(steps: readonly unknown[]): readonly ShapeProblem[] {
  const minutes = steps.map((given) => readRecord(given)['afterMinutes']);
  return minutes.flatMap((after, index) => {
    const before = minutes[index - 1];
    if (typeof before !== 'number' || typeof after !== 'number' || after > before) return [];
    const message = `must be later than the previous step, which has ${before}`;
    return [{ path: `steps[${index}].afterMinutes`, code: 'out_of_order', message }];
  });
}

/** The body of a simulation: when the escalation would start, and for which kind of alert. */
export const simulateBody = z.strictObject({
  at: instantField.describe('Time at which the check fails'),
  kind: z.enum(CHOSEN_KINDS).default('failure').describe('Kind of the alert'),
  tags: z
    .array(tagField)
    .max(20)
    .default([])
    .meta({ description: 'Tags of the monitor or scenario' }),
});

const ROUTES_MAX = 100;
const ROUTE_NAMES_MAX = 20;

function namesShape(name: z.ZodType<string>) {
  return z
    .array(name)
    .max(ROUTE_NAMES_MAX)
    .transform((names) => [...new Set(names)])
    .default([]);
}

const routeMatch = z
  .strictObject({
    tags: namesShape(tagField).meta({
      description: 'Matches checks with any of these tags; empty: all checks',
    }),
    groups: namesShape(groupName).meta({
      description: 'Matches checks in any of these groups or their subgroups; empty: all checks',
    }),
    type: z.enum(ROUTED_TYPES).nullable().default(null).meta({ description: 'null: any type' }),
  })
  .default({ tags: [], groups: [], type: null });

export const alertRouteShape = z.strictObject({
  match: routeMatch.describe('What a check must match; empty conditions match every check'),
  policy: policyKeyField
    .nullable()
    .meta({ description: 'Key of a policy; null: alerts go to the channels of the check' }),
});

const routesShape = z.strictObject({
  routes: z
    .array(alertRouteShape)
    .max(ROUTES_MAX)
    .meta({ description: 'Routes in the order in which they are tried. The first match applies' }),
});

export type AlertRoutesBody = z.output<typeof routesShape>;

/** The body of routes. Routes below a route that matches everything are refused, because no resource can reach them. */
export const alertRoutesBody: CheckedShape<typeof routesShape> = {
  shape: routesShape,
  findProblems: (body) => unreachableProblems(readList(readRecord(body)['routes'])),
};

function unreachableProblems(routes: readonly unknown[]): readonly ShapeProblem[] {
  const all = routes.findIndex(isForAll);
  if (all < 0) return [];
  const message = `is never reached, because routes[${all}] above it matches everything`;
  return routes
    .slice(all + 1)
    .map((_route, index) => ({ path: `routes[${all + 1 + index}]`, code: 'unreachable', message }));
}

function isForAll(route: unknown): boolean {
  const { tags, groups, type } = readRecord(readRecord(route)['match']);
  return readList(tags).length === 0 && readList(groups).length === 0 && (type ?? null) === null;
}

const unsavedResource = z.strictObject({
  type: z.enum(ROUTED_TYPES).describe('Type of the check'),
  group: groupName.nullable().default(null).describe('Group of the check'),
  url: z.string().max(2_048).nullable().default(null).meta({
    description:
      'URL of the check, or of the first step of a scenario. Without a group, its domain is the group',
  }),
  tags: z.array(tagField).max(20).default([]).describe('Tags of the check'),
});

const simulateRoutesShape = z.strictObject({
  resourceId: z.string().max(40).optional().meta({ description: 'Id of a monitor or a scenario' }),
  resource: unsavedResource
    .optional()
    .meta({ description: 'An unsaved monitor or scenario, instead of `resourceId`' }),
  at: instantField.describe('Time at which the check fails'),
  kind: z.enum(CHOSEN_KINDS).default('failure').describe('Kind of the alert'),
});

export type SimulateRoutesBody = z.output<typeof simulateRoutesShape>;

/** The body of a simulation: the resource, and the time and kind of the alert. */
export const simulateRoutesBody: CheckedShape<typeof simulateRoutesShape> = {
  shape: simulateRoutesShape,
  findProblems: (body) => {
    const { resourceId, resource } = readRecord(body);
    if ((resourceId === undefined) !== (resource === undefined)) return [];
    const message = 'or resource must be given, but not both';
    return [{ path: 'resourceId', code: 'invalid_value', message }];
  },
};
