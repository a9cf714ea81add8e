/** Provides the housekeeping of a virtual service. */
import { Context } from '@temporalio/activity';
import type {
  HousekeepingActivities,
  HousekeepingPass,
  HousekeepingTask,
} from '../../src/contracts/housekeeping';
import type { Ledger } from './ledger';

/** Creates tasks that have nothing to do. Each fails while the database is unavailable. */
export function createHousekeeping(ledger: Ledger): HousekeepingActivities {
  const of = (task: HousekeepingTask) => async (pass: HousekeepingPass) => {
    ledger.housekeeping.push({ ...pass, task });
    if (ledger.isAway) throw new Error('the database is away');
    if (task === ledger.hangingTask) await Context.current().cancelled;
    return {};
  };
  return {
    reconcileWorkflows: of('reconcileWorkflows'),
    notifyMaintenance: of('notifyMaintenance'),
    watchOperation: of('watchOperation'),
    closeLostRuns: of('closeLostRuns'),
    resumeLostAlerts: of('resumeLostAlerts'),
    sweepRemovals: of('sweepRemovals'),
    closeHours: of('closeHours'),
    deleteOldResults: of('deleteOldResults'),
    sweepExpired: of('sweepExpired'),
    rotateEncryption: of('rotateEncryption'),
    returnOverdueWatches: of('returnOverdueWatches'),
    writeStatusPosts: of('writeStatusPosts'),
    sendEvents: of('sendEvents'),
    tendProviders: of('tendProviders'),
    continueRollouts: of('continueRollouts'),
  };
}
