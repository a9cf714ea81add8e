/** Alert routes of an account, and the policy that they choose for a resource, as /v1 returns them. */
import { z } from 'zod';
import { ROUTED_TYPES } from '../../contracts/escalation';
import { alertSimulation } from './alert-policies';
import { idSchema, maybeInstant, type ResponseOf } from './parts';

export const alertRoutes = z
  .strictObject({
    version: z.int().min(0).meta({ description: '0: routes were never set' }),
    routes: z.array(
      z.strictObject({
        match: z.strictObject({
          tags: z.array(z.string()),
          groups: z.array(z.string()),
          type: z.enum(ROUTED_TYPES).nullable(),
        }),
        policy: z.string().nullable().meta({ description: 'Key of a policy' }),
      }),
    ),
    updatedAt: maybeInstant,
  })
  .meta({ id: 'AlertRoutes', description: 'Routes choose the policy of checks that name none' });

export type AlertRoutesResponse = ResponseOf<typeof alertRoutes>;

export const routeSimulation = z
  .strictObject({
    policy: z
      .strictObject({ id: idSchema('alertPolicy'), key: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'null: alerts go to the channels of the check' }),
    chosenBy: z
      .enum(['resource', 'route'])
      .nullable()
      .meta({ description: 'null: the check names no policy, and no route matches' }),
    route: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Number of the route in the list, from 1' }),
    ...alertSimulation.shape,
  })
  .meta({
    id: 'RouteSimulation',
    description: 'The policy of a check, and who would be notified when',
  });

export type RouteSimulationResponse = ResponseOf<typeof routeSimulation>;
