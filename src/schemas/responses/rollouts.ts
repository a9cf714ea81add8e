/** Rollouts as /v1 returns them (docs/api/rollouts.md). */
import { z } from 'zod';
import { ROLLOUT_ITEM_STATES, ROLLOUT_STATES } from '../../contracts/operations/rollouts';
import { idSchema, instant, json, maybeInstant, pageSchema, type ResponseOf } from './parts';

const count = z.int().min(0);
const fieldChange = z.strictObject({ path: z.string(), before: json, after: json });

const cause = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('edit') }),
  z.strictObject({ type: z.literal('profile'), key: z.string() }),
  z.strictObject({ type: z.literal('environment'), key: z.string() }),
  z.strictObject({ type: z.literal('variables') }),
  z.strictObject({ type: z.literal('undo'), rolloutId: z.string() }),
]);

const change = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('edit'),
    set: z.record(z.string(), json),
    unset: z.array(z.string()),
  }),
  z.strictObject({ type: z.literal('recompose') }),
  z.strictObject({ type: z.literal('restore'), rolloutId: z.string() }),
]);

const rolloutFields = {
  id: idSchema('rollout'),
  state: z.enum(ROLLOUT_STATES),
  cause,
  change,
  actor: z.strictObject({
    type: z.enum(['user', 'api_key', 'system']),
    id: z.string(),
    name: z.string(),
  }),
  progress: z.strictObject({
    total: count,
    pending: count,
    changed: count,
    unchanged: count,
    failed: count,
    skipped: count,
  }),
  waitsFor: z.string().nullable().meta({ description: 'Id of the rollout that runs before it' }),
  undoUntil: maybeInstant.meta({ description: 'null: it has not ended, or cannot be undone' }),
  undoneBy: z.string().nullable().meta({ description: 'Id of the rollout that undoes it' }),
  createdAt: instant,
  startedAt: maybeInstant,
  endedAt: maybeInstant,
};

export const rollout = z.strictObject(rolloutFields).meta({ id: 'Rollout' });
export type RolloutResponse = ResponseOf<typeof rollout>;
export const rolloutPage = pageSchema(rollout);

const rolloutItem = z
  .strictObject({
    id: z.string().meta({ description: 'Id of the monitor or scenario' }),
    name: z.string(),
    state: z.enum(ROLLOUT_ITEM_STATES),
    changes: z.array(fieldChange),
    reason: z
      .strictObject({ code: z.string(), detail: z.string() })
      .nullable()
      .meta({ description: 'Why it failed or was skipped' }),
  })
  .meta({ id: 'RolloutItem' });
export type RolloutItemResponse = ResponseOf<typeof rolloutItem>;

export const rolloutWithItems = z
  .strictObject({ ...rolloutFields, items: pageSchema(rolloutItem) })
  .meta({ id: 'RolloutWithItems' });
export type RolloutWithItems = ResponseOf<typeof rolloutWithItems>;

export const rolloutPlan = z
  .strictObject({
    summary: z.strictObject({ total: count, change: count, unchanged: count, invalid: count }),
    items: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        type: z.enum(['monitor', 'scenario']),
        changes: z.array(fieldChange),
      }),
    ),
    problems: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        path: z.string(),
        code: z.string(),
        message: z.string(),
      }),
    ),
  })
  .meta({
    id: 'RolloutPlan',
    description: 'The changes that a rollout would make. Nothing has been changed',
  });
export type RolloutPlanResponse = ResponseOf<typeof rolloutPlan>;
