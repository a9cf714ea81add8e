/** The responses of apply and export. */
import { z } from 'zod';
import { OBJECT_KINDS } from '../apply';
import { json, type ResponseOf } from './parts';

const fieldChange = z.strictObject({
  path: z.string(),
  before: json,
  after: json,
});

const appliedObject = z
  .strictObject({
    kind: z.enum(OBJECT_KINDS),
    index: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Position in its list; null for pruned objects' }),
    key: z.string().nullable(),
    /** The id. null means that the object does not exist and was not created. */
    id: z.string().nullable(),
    name: z.string().nullable(),
    action: z.enum(['create', 'update', 'delete', 'unchanged']),
    changes: z.array(fieldChange),
    /** `skipped` means that the object was not deleted, because another object failed. */
    outcome: z.enum(['planned', 'done', 'failed', 'skipped']),
    problem: z
      .strictObject({
        code: z.string(),
        detail: z.string(),
        errors: z.array(
          z.strictObject({ path: z.string(), code: z.string(), message: z.string() }),
        ),
      })
      .nullable(),
    /** Names of secrets that the object uses but the account does not have. */
    missingSecrets: z.array(z.string()),
    signingSecret: z.string().optional().meta({ description: 'Signing secret of a new webhook' }),
  })
  .meta({ id: 'AppliedObject' });

export type AppliedObject = ResponseOf<typeof appliedObject>;

const count = z.int().min(0);

export const appliedSet = z
  .strictObject({
    set: z.string(),
    dryRun: z.boolean(),
    planHash: z.string().optional().meta({
      description:
        'Only in a dry run. If it is sent with the set, apply executes this plan and no other',
    }),
    summary: z.strictObject({
      create: count,
      update: count,
      delete: count,
      unchanged: count,
      failed: count,
      skipped: count,
    }),
    objects: z.array(appliedObject),
    missingSecrets: z.array(z.string()),
  })
  .meta({ id: 'AppliedSet', description: 'The plan, and the outcome of each object' });

export type AppliedSet = ResponseOf<typeof appliedSet>;

const objects = z.array(z.record(z.string(), json));

export const exportedSet = z
  .strictObject({
    alertChannels: objects,
    alertPolicies: objects,
    alertRoutes: objects,
    hours: objects,
    profiles: objects,
    maintenanceWindows: objects,
    monitors: objects,
    scenarios: objects,
    statusPages: objects,
    variables: objects,
    environments: objects,
  })
  .meta({ id: 'ExportedSet', description: 'A set for apply, without secrets' });

export const fileSchema = z.record(z.string(), json);
