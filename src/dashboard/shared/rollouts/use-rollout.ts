/** Follows a rollout until its end, and starts its undo. */
import { useEffect } from 'react';
import { useAct } from '../actions/use-act';
import type { Rollout, RolloutWithItems } from '../data/api-types';
import { useRead, useRefresh } from '../data/queries';

/** The data that a rollout changes. An undo also restores the profile, environment or variables. */
export const ROLLOUT_TOUCHES = [
  '/v1/rollouts',
  '/v1/monitors',
  '/v1/scenarios',
  '/v1/checks',
  '/v1/overview',
  '/v1/profiles',
  '/v1/environments',
  '/v1/variables',
] as const;

const ASK_EVERY_MS = 1_000;

/**
 * Reads the rollout every second until it has ended. Then reads again all data that the rollout may have changed.
 */
export function useRollout(id: string): RolloutWithItems | undefined {
  const path = `/v1/rollouts/${id}?limit=100`;
  const refresh = useRefresh();
  const { data } = useRead<RolloutWithItems>(path, {
    refetchInterval: ({ state }) => (state.data?.state === 'ended' ? false : ASK_EVERY_MS),
  });
  const isEnded = data?.state === 'ended';
  useEffect(() => {
    if (isEnded) void refresh(ROLLOUT_TOUCHES.filter((touched) => touched !== '/v1/rollouts'));
  }, [isEnded, refresh]);
  return data;
}

/** Starts the undo of a rollout. Calls `onStarted` with the new rollout, which carries out the undo. */
export function useUndoRollout(onStarted: (undo: Rollout) => void) {
  const { act, isPending } = useAct<Rollout>(ROLLOUT_TOUCHES);
  const undo = (id: string): void =>
    act({ method: 'POST', path: `/v1/rollouts/${id}/undo`, body: {} }, { onDone: onStarted });
  return { undo, isPending };
}
