/** Rollouts as /v1 returns them (docs/api/rollouts.md). */
import { z } from 'zod';
import { ROLLOUT_ITEM_STATES, ROLLOUT_STATES } from '../../contracts/operations/rollouts';
import { idSchema, instant, json, maybeInstant, pageSchema, type ResponseOf } from './parts';

const count = z.int().min(0);
const fieldChange = z.strictObject({
  path: z
    .string()
    .meta({ description: 'Path of the field, like `steps[1].url`', example: 'interval' }),
  before: json.meta({ description: 'Value before the change; secrets are masked', example: 60 }),
  after: json.meta({ description: 'Value after the change; secrets are masked', example: 120 }),
});

const cause = z.discriminatedUnion('type', [
  z.strictObject({
    type: z
      .literal('edit')
      .describe(
        'What started the rollout. edit: a bulk edit; variables: a change of the variables of the account',
      ),
  }),
  z.strictObject({
    type: z
      .literal('profile')
      .describe(
        'What started the rollout. edit: a bulk edit; variables: a change of the variables of the account',
      ),
    key: z.string().describe('Key of the changed profile or environment'),
  }),
  z.strictObject({
    type: z
      .literal('environment')
      .describe(
        'What started the rollout. edit: a bulk edit; variables: a change of the variables of the account',
      ),
    key: z.string().describe('Key of the changed profile or environment'),
  }),
  z.strictObject({
    type: z
      .literal('variables')
      .describe(
        'What started the rollout. edit: a bulk edit; variables: a change of the variables of the account',
      ),
  }),
  z.strictObject({
    type: z
      .literal('undo')
      .describe(
        'What started the rollout. edit: a bulk edit; variables: a change of the variables of the account',
      ),
    rolloutId: z.string().meta({
      description: 'Id of the rollout that is undone',
      example: 'rol_01arz3ndektsv4rrffq69g5fav',
    }),
  }),
]);

const change = z.discriminatedUnion('type', [
  z.strictObject({
    type: z
      .literal('edit')
      .describe(
        'What the rollout does. edit: it changes fields; recompose: it applies profiles, environments and variables again; restore: it undoes a rollout',
      ),
    set: z
      .record(z.string(), json)
      .meta({ description: 'Field → new value; secrets are masked', example: { interval: 120 } }),
    unset: z
      .array(z.string())
      .meta({ description: 'Fields that return to their defaults', example: [] }),
  }),
  z.strictObject({
    type: z
      .literal('recompose')
      .describe(
        'What the rollout does. edit: it changes fields; recompose: it applies profiles, environments and variables again; restore: it undoes a rollout',
      ),
  }),
  z.strictObject({
    type: z
      .literal('restore')
      .describe(
        'What the rollout does. edit: it changes fields; recompose: it applies profiles, environments and variables again; restore: it undoes a rollout',
      ),
    rolloutId: z.string().describe('Id of the rollout that is undone'),
  }),
]);

const rolloutFields = {
  id: idSchema('rollout'),
  state: z
    .enum(ROLLOUT_STATES)
    .meta({ description: 'waiting: an earlier rollout has not ended', example: 'ended' }),
  cause: cause.describe('What started the rollout'),
  change: change.describe('What the rollout does with each monitor and scenario'),
  actor: z
    .strictObject({
      type: z
        .enum(['user', 'api_key', 'system'])
        .meta({ description: 'system: Keepwatch itself', example: 'user' }),
      id: z.string().meta({
        description: 'Id of the person or key',
        example: 'usr_01arz3ndektsv4rrffq69g5fav',
      }),
      name: z
        .string()
        .meta({ description: 'Name or email address when it started', example: 'ann@example.com' }),
    })
    .describe('Who started it'),
  progress: z
    .strictObject({
      total: count.describe('All monitors and scenarios of the rollout'),
      pending: count.describe('Not changed yet'),
      changed: count.describe('Changed'),
      unchanged: count.describe('Had the values already'),
      failed: count.describe('Could not be changed'),
      skipped: count.describe('Were deleted, or were changed after the edit that is undone'),
    })
    .meta({
      description: 'Number of monitors and scenarios in each state',
      example: { total: 2, pending: 0, changed: 2, unchanged: 0, failed: 0, skipped: 0 },
    }),
  waitsFor: z.string().nullable().meta({ description: 'Id of the rollout that runs before it' }),
  undoUntil: maybeInstant.meta({ description: 'null: it has not ended, or cannot be undone' }),
  undoneBy: z.string().nullable().meta({ description: 'Id of the rollout that undoes it' }),
  createdAt: instant.describe('When the rollout was created'),
  startedAt: maybeInstant.meta({
    description: 'When the rollout started; null: it waits',
    example: '2026-01-31T12:00:00.000Z',
  }),
  endedAt: maybeInstant.meta({
    description: 'When the rollout ended; null: not yet',
    example: '2026-01-31T12:00:04.000Z',
  }),
};

export const rollout = z.strictObject(rolloutFields).meta({ id: 'Rollout' });
export type RolloutResponse = ResponseOf<typeof rollout>;
export const rolloutPage = pageSchema(rollout);

const rolloutItem = z
  .strictObject({
    id: z.string().meta({
      description: 'Id of the monitor or scenario',
      example: 'mon_01arz3ndektsv4rrffq69g5fav',
    }),
    name: z
      .string()
      .meta({ description: 'Name of the monitor or scenario', example: 'Shop: home page' }),
    state: z.enum(ROLLOUT_ITEM_STATES).meta({
      description: 'skipped: it was deleted, or was changed after the edit that is undone',
      example: 'changed',
    }),
    changes: z.array(fieldChange).describe('Changed fields'),
    reason: z
      .strictObject({
        code: z.string().describe('Error code'),
        detail: z.string().describe('The reason, for people'),
      })
      .nullable()
      .meta({ description: 'Why it failed or was skipped' }),
  })
  .meta({ id: 'RolloutItem' });
export type RolloutItemResponse = ResponseOf<typeof rolloutItem>;

export const rolloutWithItems = z
  .strictObject({
    ...rolloutFields,
    items: pageSchema(rolloutItem).describe('A page of its monitors and scenarios'),
  })
  .meta({ id: 'RolloutWithItems' });
export type RolloutWithItems = ResponseOf<typeof rolloutWithItems>;

export const rolloutPlan = z
  .strictObject({
    summary: z
      .strictObject({
        total: count.meta({ description: 'All that were selected', example: 1 }),
        change: count.meta({ description: 'Would change', example: 1 }),
        unchanged: count.meta({ description: 'Have the values already', example: 0 }),
        invalid: count.meta({ description: 'Would become invalid', example: 0 }),
      })
      .describe('Number of selected monitors and scenarios'),
    items: z
      .array(
        z.strictObject({
          id: z.string().meta({
            description: 'Id of the monitor or scenario',
            example: 'mon_01arz3ndektsv4rrffq69g5fav',
          }),
          name: z
            .string()
            .meta({ description: 'Name of the monitor or scenario', example: 'Shop: home page' }),
          type: z.enum(['monitor', 'scenario']).describe('Whether it is a monitor or a scenario'),
          changes: z.array(fieldChange).describe('Fields that would change'),
        }),
      )
      .describe('Monitors and scenarios that would change'),
    problems: z
      .array(
        z.strictObject({
          id: z.string().describe('Id of the monitor or scenario'),
          name: z.string().describe('Name of the monitor or scenario'),
          path: z.string().describe('Path of the invalid field'),
          code: z.string().describe('Code of the problem with this field'),
          message: z.string().describe('What is wrong with the field, for people'),
        }),
      )
      .meta({ description: 'Why monitors and scenarios would become invalid', example: [] }),
  })
  .meta({
    id: 'RolloutPlan',
    description: 'The changes that a rollout would make. Nothing has been changed',
  });
export type RolloutPlanResponse = ResponseOf<typeof rolloutPlan>;

const outcome = z.strictObject({
  id: z.string().meta({
    description: 'Id of the monitor or scenario',
    example: 'mon_01arz3ndektsv4rrffq69g5fav',
  }),
  ok: z.boolean().meta({ description: 'Whether the action succeeded for it', example: true }),
  code: z.string().optional().describe('Error code; only if the action failed'),
  detail: z.string().optional().describe('What went wrong, for people; only if the action failed'),
});

/**
 * One outcome per resource, in the order of the sent ids. If a filter selected the resources, the newest resource comes
 * first.
 */
export const bulkResponse = z
  .strictObject({
    succeeded: z.int().meta({ description: 'How many actions succeeded', example: 1 }),
    failed: z.int().meta({ description: 'How many actions failed', example: 0 }),
    data: z
      .array(outcome)
      .describe('One entry per object, in the order of the sent ids; with a filter, newest first'),
  })
  .meta({ id: 'BulkOutcome' });

export type BulkResponse = ResponseOf<typeof bulkResponse>;
