/** Alert policies as /v1 returns them. */
import { z } from 'zod';
import { ALERT_KINDS } from '../../contracts/alerting/alert-kinds';
import { ESCALATION_ENDS, WEEKDAYS } from '../../contracts/escalation';
import { idSchema, instant, pageSchema, type ResponseOf } from './parts';

export const alertPolicy = z
  .strictObject({
    id: idSchema('alertPolicy'),
    version: z.int().min(1).meta({
      description: 'Grows with each change. The `ETag` contains it, and `If-Match` compares it',
      example: 1,
    }),
    key: z
      .string()
      .meta({ description: 'Name in the field `policy` of checks and routes', example: 'on-call' }),
    name: z.string().meta({ description: 'Shown in lists and messages', example: 'On call' }),
    steps: z.array(
      z.strictObject({
        afterMinutes: z.int().meta({
          description: 'Minutes after the failure at which the step notifies; 0: at once',
          example: 0,
        }),
        notify: z.array(z.string()).meta({
          description: 'Ids of channels and members',
          example: ['chn_01arz3ndektsv4rrffq69g5fav'],
        }),
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
    createdAt: instant.describe('When the policy was created'),
    updatedAt: instant.describe('When the policy was last changed'),
  })
  .meta({ id: 'AlertPolicy', description: 'Who is notified when, until someone responds' });

export type AlertPolicyResponse = ResponseOf<typeof alertPolicy>;

export const alertPolicyPage = pageSchema(alertPolicy);

export const alertSimulation = z
  .strictObject({
    isEscalated: z
      .boolean()
      .meta({ description: 'false: alerts of this kind go to `channels`', example: true }),
    notifications: z
      .array(
        z.strictObject({
          at: instant.describe('When it would be sent'),
          step: z.int().min(1).describe('Number of the step, from 1'),
          kind: z.enum(ALERT_KINDS).meta({ description: 'Kind of the alert', example: 'failure' }),
          notify: z
            .array(
              z.strictObject({
                id: z.string().meta({
                  description: 'Id of the channel or member',
                  example: 'chn_01arz3ndektsv4rrffq69g5fav',
                }),
                name: z
                  .string()
                  .meta({ description: 'Name of the channel or member', example: 'On call' }),
                isWanted: z.boolean().meta({
                  description: 'false: the channel does not accept alerts of this kind',
                  example: true,
                }),
              }),
            )
            .describe('Channels and members that would be notified'),
        }),
      )
      .describe('Notifications in chronological order'),
  })
  .meta({ id: 'AlertSimulation', description: 'Who would be notified when, if no one responds' });

export type AlertSimulationResponse = ResponseOf<typeof alertSimulation>;
