/** The calls to Temporal that the reconcile pass needs, over all accounts. */

import type { AlertInput, AlertMessage, FoldedAlert } from '../../contracts/alerts';
import type { ResourceKind } from '../../contracts/definition';
import type { EscalationPlan, EscalationRecord } from '../../contracts/escalation';
import type { HeartbeatState } from '../../contracts/heartbeat-workflow';
import type { MonitorState, ScenarioState } from '../../contracts/workflows';

export interface OpenWorkflow {
  readonly id: string;
  readonly startedAtMs: number;
}

/** The calls to Temporal that the reconcile pass needs and that use cases do not. */
export interface ReconcileGateway {
  /** Lists every open workflow of the kind. Temporal's list may be a few seconds old. */
  readonly listOpen: (
    kind: ResourceKind | 'run' | 'alert' | 'digest' | 'escalation',
  ) => Promise<readonly OpenWorkflow[]>;
  /** Counts the workflows that `listOpen` would list, at about a hundredth of the cost. */
  readonly countOpen: (kind: ResourceKind) => Promise<number>;
  /** Starts the workflow with the state. If the workflow is already running, sends it the configuration instead. */
  readonly restoreMonitor: (state: MonitorState | HeartbeatState) => Promise<void>;
  readonly restoreScenario: (state: ScenarioState) => Promise<void>;
  /** Asks the workflow to end. Terminates the workflow if it does not end. Succeeds if there is no workflow. */
  readonly stop: (kind: ResourceKind, id: string) => Promise<void>;
  /** Ends any workflow at once. Succeeds if the workflow does not exist or has ended. */
  readonly terminate: (workflowId: string, reason: string) => Promise<void>;
  /** True if the run's workflow is open. Asks the workflow itself and not Temporal's list, so the result is current. */
  readonly isRunOpen: (runId: string) => Promise<boolean>;
  /**
   * Lists runs that the scenario's workflow has queued or is carrying out. Empty if there is no workflow. Rejects if no
   * worker responds.
   */
  readonly listPendingRuns: (scenarioId: string) => Promise<readonly string[]>;
  /** Starts the alert's workflow. Returns false if Temporal already knows this workflow, even if it has completed. */
  readonly restoreAlert: (input: AlertInput) => Promise<boolean>;
  /** Sends the alert to the digest of its account. The digest accepts each alert once. */
  readonly foldAlert: (folded: FoldedAlert) => Promise<void>;
  /** Like restoreAlert, but for an escalation. The escalation continues at its last state. */
  readonly restoreEscalation: (record: EscalationRecord) => Promise<boolean>;
  /** Adds steps to the escalation. Starts the escalation if it was lost. Does nothing if the escalation has ended. */
  readonly extendEscalation: (record: EscalationRecord, plan: EscalationPlan) => Promise<void>;
  /**
   * Passes the recovery to the escalation. Starts the escalation if it was lost. Does nothing if the escalation has
   * ended.
   */
  readonly endEscalation: (record: EscalationRecord, recovery: AlertMessage) => Promise<void>;
}
