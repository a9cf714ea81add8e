/** Alert routes of an account, and the policy that they choose for a resource, as /v1 returns them. */
import { z } from 'zod';
import { ROUTED_TYPES } from '../../contracts/escalation';
import { alertSimulation } from './alert-policies';
import { idSchema, maybeInstant, type ResponseOf } from './parts';

export const alertRoutes = z
  .strictObject({
    version: z.int().min(0).meta({ description: '0: routes were never set', example: 1 }),
    routes: z
      .array(
        z.strictObject({
          match: z
            .strictObject({
              tags: z.array(z.string()).meta({
                description: 'Matches checks with any of these tags; empty: all checks',
                example: ['checkout'],
              }),
              groups: z
                .array(z.string())
                .describe(
                  'Matches checks in any of these groups or their subgroups; empty: all checks',
                ),
              type: z.enum(ROUTED_TYPES).nullable().describe('Type of the check; null: any type'),
            })
            .describe('What a check must match; empty conditions match every check'),
          policy: z
            .string()
            .nullable()
            .meta({ description: 'Key of a policy', example: 'on-call' }),
        }),
      )
      .describe('Routes in their order. The first that matches a check chooses its policy'),
    updatedAt: maybeInstant.describe('When the routes were last changed; null: never'),
  })
  .meta({ id: 'AlertRoutes', description: 'Routes choose the policy of checks that name none' });

export type AlertRoutesResponse = ResponseOf<typeof alertRoutes>;

export const routeSimulation = z
  .strictObject({
    policy: z
      .strictObject({
        id: idSchema('alertPolicy'),
        key: z.string().meta({ description: 'Key of the policy', example: 'on-call' }),
        name: z.string().meta({ description: 'Name of the policy', example: 'On call' }),
      })
      .nullable()
      .meta({ description: 'null: alerts go to the channels of the check' }),
    chosenBy: z.enum(['resource', 'route']).nullable().meta({
      description: 'null: the check names no policy, and no route matches',
      example: 'route',
    }),
    route: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Number of the route in the list, from 1', example: 1 }),
    ...alertSimulation.shape,
  })
  .meta({
    id: 'RouteSimulation',
    description: 'The policy of a check, and who would be notified when',
  });

export type RouteSimulationResponse = ResponseOf<typeof routeSimulation>;
