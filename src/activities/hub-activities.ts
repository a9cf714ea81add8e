/** The activities that write to the database. They decide nothing: workflows have decided already. */
import type { HubActivities } from '../contracts/activities';
import type { SettleStore, Stores } from '../services/stores';
import { takeOverPause } from '../services/take-over-pause';

export interface HubDependencies {
  readonly settle: SettleStore;
  readonly stores: Pick<Stores, 'monitors' | 'scenarios'>;
}

/** Each is idempotent, because its store is; a failure is thrown and retried by the workflow. */
export function createHubActivities({ settle, stores }: HubDependencies): HubActivities {
  return {
    settleMonitor: (record) => settle.settleMonitor(record),
    settleScenario: (record) => settle.settleScenario(record),
    saveRun: (run) => settle.saveRun(run),
    saveOperatorChange: (record) => takeOverPause(stores, record),
  };
}
