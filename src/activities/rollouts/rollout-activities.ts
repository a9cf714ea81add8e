import { Context } from '@temporalio/activity';
import type { RolloutActivities } from '../../contracts/operations/rollouts';
import type { RolloutNeeds } from '../../services/rollouts/rollout-needs';
import { changeResources, endRollout, openRollout } from '../../services/rollouts/run-rollout';

const BEAT_EVERY_MS = 3_000;

/** Each activity throws if the database or Temporal is unavailable. All activities may be repeated. */
export function createRolloutActivities(needs: RolloutNeeds): RolloutActivities {
  return {
    openRollout: (account) => openRollout(needs, account),
    async changeResources(name) {
      const { cancellationSignal, heartbeat } = Context.current();
      const beating = setInterval(() => heartbeat(), BEAT_EVERY_MS);
      try {
        return await changeResources(needs, name, cancellationSignal);
      } finally {
        clearInterval(beating);
      }
    },
    endRollout: (name) => endRollout(needs, name),
  };
}
