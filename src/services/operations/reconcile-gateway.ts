/** What the reconcile pass asks of Temporal. Use cases of people are not given it: they see one account at a time. */

import type { AlertInput, FoldedAlert } from '../../contracts/alerts';
import type { ResourceKind } from '../../contracts/definition';
import type { EscalationRecord } from '../../contracts/escalation';
import type { HeartbeatState } from '../../contracts/heartbeat-workflow';
import type { MonitorState, ScenarioState } from '../../contracts/workflows';

/** A workflow that has not ended, by the id of what it is for. */
export interface OpenWorkflow {
  readonly id: string;
  readonly startedAtMs: number;
}

/** What the reconcile pass asks of Temporal, beside what every use case may ask. */
export interface ReconcileGateway {
  /** Every open workflow of the kind. Temporal may be some seconds behind in what it lists. */
  readonly listOpen: (
    kind: ResourceKind | 'run' | 'alert' | 'digest' | 'escalation',
  ) => Promise<readonly OpenWorkflow[]>;
  /** How many `listOpen` would list, for about a hundredth of what that costs. */
  readonly countOpen: (kind: ResourceKind) => Promise<number>;
  /** Starts the workflow with the state, or hands its configuration to the one that runs. */
  readonly restoreMonitor: (state: MonitorState | HeartbeatState) => Promise<void>;
  readonly restoreScenario: (state: ScenarioState) => Promise<void>;
  /** Asks the workflow to end, and ends it by force when it does not; succeeds without one. */
  readonly stop: (kind: ResourceKind, id: string) => Promise<void>;
  /** Whether the run's workflow has not ended; asks for this one, and is never behind. */
  readonly isRunOpen: (runId: string) => Promise<boolean>;
  /**
   * Requested runs that the scenario's workflow has not started yet, whatever signals wait for it; none
   * without a workflow. Rejects when no worker answers for it.
   */
  readonly listPendingRuns: (scenarioId: string) => Promise<readonly string[]>;
  /** Starts the alert's workflow; false when Temporal knows it, under way or completed. */
  readonly restoreAlert: (input: AlertInput) => Promise<boolean>;
  /** Hands the alert to the digest of its account, which takes it once. */
  readonly foldAlert: (folded: FoldedAlert) => Promise<void>;
  /** As restoreAlert, the one of an escalation, where it was. */
  readonly restoreEscalation: (record: EscalationRecord) => Promise<boolean>;
}
