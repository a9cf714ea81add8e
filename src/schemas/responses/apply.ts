/** The responses of apply and export. */
import { z } from 'zod';
import { OBJECT_KINDS } from '../apply';
import { json, type ResponseOf } from './parts';

const fieldChange = z.strictObject({
  path: z.string().describe('Path of the field, like `steps[1].url`'),
  before: json.describe('Value before the change; absent or null: none'),
  after: json.describe('Value after the change; absent or null: none'),
});

const appliedObject = z
  .strictObject({
    kind: z.enum(OBJECT_KINDS).meta({ description: 'Kind of the object', example: 'monitor' }),
    index: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Position in its list; null for pruned objects', example: 0 }),
    key: z
      .string()
      .nullable()
      .meta({ description: 'Key of the object; null: the kind has none', example: 'shop-home' }),
    id: z.string().nullable().meta({
      description: 'Id of the object; null: it does not exist and was not created',
      example: 'mon_01arz3ndektsv4rrffq69g5fav',
    }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the object; null: it has none', example: 'Shop: home page' }),
    action: z
      .enum(['create', 'update', 'delete', 'unchanged'])
      .meta({ description: 'What the plan does with the object', example: 'create' }),
    changes: z.array(fieldChange).meta({ description: 'Changed fields', example: [] }),
    outcome: z.enum(['planned', 'done', 'failed', 'skipped']).meta({
      description: 'planned: a dry run; skipped: it was not deleted, because another object failed',
      example: 'done',
    }),
    problem: z
      .strictObject({
        code: z.string().describe('Error code'),
        detail: z.string().describe('What is wrong, for people'),
        errors: z
          .array(
            z.strictObject({
              path: z.string().describe('Path of the field in the object'),
              code: z.string().describe('Code of the problem with this field'),
              message: z.string().describe('What is wrong with the field, for people'),
            }),
          )
          .describe('Every invalid field'),
      })
      .nullable()
      .describe('Why the object failed; null: it did not'),
    missingSecrets: z.array(z.string()).meta({
      description: 'Names of secrets that the object uses and the account does not have',
      example: [],
    }),
    signingSecret: z.string().optional().meta({ description: 'Signing secret of a new webhook' }),
  })
  .meta({ id: 'AppliedObject' });

export type AppliedObject = ResponseOf<typeof appliedObject>;

const count = z.int().min(0);

export const appliedSet = z
  .strictObject({
    set: z.string().meta({ description: 'Name of the set', example: 'default' }),
    dryRun: z.boolean().meta({ description: 'true: nothing was changed', example: false }),
    planHash: z.string().optional().meta({
      description:
        'Only in a dry run. If it is sent with the set, apply executes this plan and no other',
    }),
    summary: z
      .strictObject({
        create: count.meta({ description: 'Objects to create, or created', example: 1 }),
        update: count.meta({ description: 'Objects to update, or updated', example: 0 }),
        delete: count.meta({ description: 'Objects to delete, or deleted', example: 0 }),
        unchanged: count.meta({ description: 'Objects that do not change', example: 0 }),
        failed: count.meta({ description: 'Objects that failed', example: 0 }),
        skipped: count.meta({
          description: 'Objects that were not deleted, because another object failed',
          example: 0,
        }),
      })
      .describe('Number of objects by action or outcome'),
    objects: z.array(appliedObject).describe('One entry per object'),
    missingSecrets: z.array(z.string()).meta({
      description: 'Names of secrets that the set uses and the account does not have',
      example: [],
    }),
  })
  .meta({ id: 'AppliedSet', description: 'The plan, and the outcome of each object' });

export type AppliedSet = ResponseOf<typeof appliedSet>;

const objects = z.array(z.record(z.string(), json));

export const exportedSet = z
  .strictObject({
    alertChannels: objects.describe('Alert channels'),
    alertPolicies: objects.describe('Alert policies'),
    alertRoutes: objects.describe('All alert routes in their order'),
    hours: objects.describe('Hours'),
    profiles: objects.describe('Profiles'),
    maintenanceWindows: objects.describe('Maintenance windows'),
    monitors: objects.describe('Monitors of every type'),
    scenarios: objects.describe('Scenarios'),
    statusPages: objects.describe('Status pages'),
    variables: objects.describe('Variables of the account'),
    environments: objects.describe('Environments'),
  })
  .meta({ id: 'ExportedSet', description: 'A set for apply, without secrets' });

export const fileSchema = z.record(z.string(), json);
