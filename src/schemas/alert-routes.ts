/** Routes of an account: which alert policy holds where a resource names none (docs/alerts.md). */
import { z } from 'zod';
import { CHOSEN_KINDS } from '../contracts/alerts';
import { ROUTED_TYPES } from '../contracts/escalation';
import { policyKeyField } from './alert-policy';
import { tagField } from './fields';
import type { CheckedShape, ShapeProblem } from './issues';
import { listOf, recordOf } from './loose';
import { groupName } from './maintenance';
import { instantField } from './queries';

const ROUTES_MAX = 100;
const NAMES_MAX = 20;

function namesOf(name: z.ZodType<string>) {
  return z
    .array(name)
    .max(NAMES_MAX)
    .transform((names) => [...new Set(names)])
    .default([]);
}

const match = z
  .strictObject({
    tags: namesOf(tagField).meta({ description: 'One of them is enough; empty: any' }),
    groups: namesOf(groupName).meta({
      description: 'One of them, or a group nested in it; empty: any',
    }),
    type: z.enum(ROUTED_TYPES).nullable().default(null).meta({ description: 'null: any' }),
  })
  .default({ tags: [], groups: [], type: null });

export const alertRouteShape = z.strictObject({
  match,
  policy: policyKeyField
    .nullable()
    .meta({ description: 'Key of a policy; null: the channels of the resource itself' }),
});

const shape = z.strictObject({
  routes: z
    .array(alertRouteShape)
    .max(ROUTES_MAX)
    .meta({ description: 'In this order; the first that matches holds' }),
});

export type AlertRoutesBody = z.output<typeof shape>;

/** With the routes that no resource would ever reach. */
export const alertRoutesBody: CheckedShape<typeof shape> = {
  shape,
  findProblems: (body) => unreachableProblems(listOf(recordOf(body)['routes'])),
};

function unreachableProblems(routes: readonly unknown[]): readonly ShapeProblem[] {
  const all = routes.findIndex(isForAll);
  if (all < 0) return [];
  const message = `is never reached: routes[${all}] before it matches everything`;
  return routes
    .slice(all + 1)
    .map((_route, index) => ({ path: `routes[${all + 1 + index}]`, code: 'unreachable', message }));
}

function isForAll(route: unknown): boolean {
  const { tags, groups, type } = recordOf(recordOf(route)['match']);
  return listOf(tags).length === 0 && listOf(groups).length === 0 && (type ?? null) === null;
}

/** Of what, when it would begin, and of what kind of alert. */
export const simulateRoutesBody = z.strictObject({
  resourceId: z.string().max(40).meta({ description: 'Id of a monitor or a scenario' }),
  at: instantField,
  kind: z.enum(CHOSEN_KINDS).default('failure'),
});
