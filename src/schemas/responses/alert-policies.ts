/** Alert policies as /v1 returns them. */
import { z } from 'zod';
import { ALERT_KINDS } from '../../contracts/alerting/alert-kinds';
import { ESCALATION_ENDS, WEEKDAYS } from '../../contracts/escalation';
import { idSchema, instant, pageSchema, type ResponseOf } from './parts';

export const alertPolicy = z
  .strictObject({
    id: idSchema('alertPolicy'),
    version: z.int().min(1),
    key: z.string(),
    name: z.string(),
    steps: z.array(
      z.strictObject({
        afterMinutes: z.int(),
        notify: z.array(z.string()).meta({ description: 'Ids of channels and members' }),
        until: z.enum(ESCALATION_ENDS),
        repeat: z.strictObject({ everyMinutes: z.int(), times: z.int() }).nullable(),
        hours: z.string().nullable().meta({ description: 'Key of the hours of the step' }),
      }),
    ),
    quietHours: z
      .strictObject({
        timeZone: z.string(),
        days: z.array(z.enum(WEEKDAYS)),
        from: z.string(),
        to: z.string(),
        except: z.array(z.string()),
      })
      .nullable(),
    lastResort: z.string().nullable().meta({ description: 'Id of a channel' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'AlertPolicy', description: 'Who is notified when, until someone responds' });

export type AlertPolicyResponse = ResponseOf<typeof alertPolicy>;

export const alertPolicyPage = pageSchema(alertPolicy);

export const alertSimulation = z
  .strictObject({
    isEscalated: z.boolean().meta({ description: 'false: alerts of this kind go to `channels`' }),
    notifications: z.array(
      z.strictObject({
        at: instant,
        step: z.int().min(1),
        kind: z.enum(ALERT_KINDS),
        notify: z.array(
          z.strictObject({
            id: z.string(),
            name: z.string(),
            isWanted: z
              .boolean()
              .meta({ description: 'false: the channel does not accept alerts of this kind' }),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'AlertSimulation', description: 'Who would be notified when, if no one responds' });

export type AlertSimulationResponse = ResponseOf<typeof alertSimulation>;
