/** Changes of an account as /v1 returns them: the audit trail and the stream of live changes. */
import { z } from 'zod';
import { idSchema, instant, json, pageSchema, type ResponseOf } from './parts';

const auditEvent = z
  .strictObject({
    id: idSchema('audit'),
    at: instant.describe('When the change was made'),
    actor: z
      .strictObject({
        type: z.enum(['user', 'api_key', 'system']).describe('system: Keepwatch itself'),
        id: z.string().meta({
          description: 'Id of the person or key',
          example: 'usr_01arz3ndektsv4rrffq69g5fav',
        }),
        name: z.string().meta({
          description: 'Name or email address at the time of the change',
          example: 'ann@example.com',
        }),
      })
      .describe('Who made the change'),
    action: z
      .string()
      .meta({ description: 'What was done, like `monitor.update`', example: 'monitor.update' }),
    resourceType: z
      .string()
      .meta({ description: 'Type of the changed object', example: 'monitor' }),
    resourceId: z.string().nullable().meta({
      description: 'Id of the changed object; null: it has none',
      example: 'mon_01arz3ndektsv4rrffq69g5fav',
    }),
    before: json.describe('Changed fields before the change; null for a new object'),
    after: json.describe('Changed fields after the change; null for a deleted object'),
    requestId: z.string().meta({
      description: 'Value of `X-Request-Id` of the request that made the change',
      example: 'req_01arz3ndektsv4rrffq69g5fav',
    }),
    ip: z.string().nullable().describe('IP address of the request; null if unknown'),
  })
  .meta({ id: 'AuditEvent', description: 'With the changed fields; secrets are masked' });

export type AuditResponse = ResponseOf<typeof auditEvent>;

export const auditPage = pageSchema(auditEvent);

/** The stream of live changes. */
export const liveEvents = z.string().meta({
  example: 'event:change\ndata:{"kind":"incident","id":"inc_01arz3ndektsv4rrffq69g5fav"}\n\n',
});
