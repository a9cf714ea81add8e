/** Types for rollouts. A rollout makes one change to many monitors and scenarios. */

/** The fields of a body that has not been validated yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The change that a rollout makes to each resource. */
export type RolloutChange =
  /** Works like a PATCH with `set`. The fields in `unset` return to their defaults. */
  | { readonly type: 'edit'; readonly set: JsonObject; readonly unset: readonly string[] }
  /** Builds the definition again from the current profile, environment and account variables. */
  | { readonly type: 'recompose' }
  /** Undoes another rollout by restoring the definitions that it replaced. */
  | { readonly type: 'restore'; readonly rolloutId: string };

/** The reason for the rollout, for people. */
export type RolloutCause =
  | { readonly type: 'edit' }
  | { readonly type: 'profile'; readonly key: string }
  | { readonly type: 'environment'; readonly key: string }
  | { readonly type: 'variables' }
  | { readonly type: 'undo'; readonly rolloutId: string };

/** `waiting` means that an earlier rollout of the account has not ended. */
export const ROLLOUT_STATES = ['waiting', 'running', 'ended'] as const;
export type RolloutState = (typeof ROLLOUT_STATES)[number];

/** `skipped` means that the resource was deleted, or that it has changed since the edit that is undone. */
export const ROLLOUT_ITEM_STATES = [
  'pending',
  'changed',
  'unchanged',
  'failed',
  'skipped',
] as const;
export type RolloutItemState = (typeof ROLLOUT_ITEM_STATES)[number];

/** How many resources are in each state. */
export type RolloutCounts = Readonly<Record<RolloutItemState, number>>;

export interface RolloutName {
  readonly accountId: string;
  readonly rolloutId: string;
}

/**
 * Activities that the orchestrator serves. Each activity may be repeated at any time, even by two processes at once.
 */
export interface RolloutActivities {
  /** Starts or continues the account's first rollout that has not ended. null if there is none. */
  readonly openRollout: (account: { readonly accountId: string }) => Promise<{
    readonly rolloutId: string;
    readonly counts: RolloutCounts;
  } | null>;
  /** Changes some of the pending resources. */
  readonly changeResources: (name: RolloutName) => Promise<RolloutCounts>;
  /** Ends the rollout. Call it only if no resource is pending. */
  readonly endRollout: (name: RolloutName) => Promise<void>;
}

/** The input of the workflow, which is the same when it continues as new. */
export interface RolloutsInput {
  readonly v: 1;
  readonly accountId: string;
}

/** One workflow per account carries out its rollouts, one after the other. */
export function rolloutsWorkflowId(accountId: string): string {
  return `rollouts-${accountId}`;
}

/** Signal that is sent after a rollout was stored. */
export const ROLLOUT_STORED_SIGNAL = 'rolloutStored';

/** The priority of rollouts. Rollouts come after checks and alerts: 1 is the highest, 3 the default, 5 the lowest. */
export const ROLLOUT_PRIORITY = { priorityKey: 4 } as const;
