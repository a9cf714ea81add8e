/**
 * What the reconcile pass asks of the database and of the workflow engine. Use cases of people are
 * not given these: they see one account at a time.
 */
import type { AlertInput } from '../../contracts/alerts';
import type { ResourceKind } from '../../contracts/definition';
import type { RunRecord } from '../../contracts/records';
import type { MonitorState, ScenarioState } from '../../contracts/workflows';
import type { AlertRow, ResourceRow } from './rows';

/** What the reconcile pass must know of a monitor or scenario to compare it. */
export type ReconcileRow = Pick<
  ResourceRow,
  'id' | 'accountId' | 'version' | 'state' | 'updatedAtMs'
>;

/**
 * Reads over all accounts, for the reconcile pass only: the workflows of the engine are one heap,
 * and whether one of them has a row can't be asked account by account. It shows no definition.
 */
export interface ReconcileSource {
  /** In the order of their ids, beginning behind the given one; '' is before all. */
  readonly listRows: (
    kind: ResourceKind,
    query: { readonly afterId: string; readonly limit: number },
  ) => Promise<readonly ReconcileRow[]>;
  readonly isPresent: (kind: ResourceKind, id: string) => Promise<boolean>;
  /** Runs without an end that were queued before the instant, in the order of their ids. */
  readonly listUnfinishedRuns: (query: {
    readonly queuedBeforeMs: number;
    readonly afterId: string;
    readonly limit: number;
  }) => Promise<readonly RunRecord[]>;
  /** Deliveries that are pending and were owed before the instant, in the order of their ids. */
  readonly listPendingAlerts: (query: {
    readonly owedBeforeMs: number;
    readonly afterId: string;
    readonly limit: number;
  }) => Promise<readonly AlertRow[]>;
}

/** A workflow that has not ended, by the id of what it is for. */
export interface OpenWorkflow {
  readonly id: string;
  readonly startedAtMs: number;
}

/** What the reconcile pass asks of the engine, beside what every use case may ask. */
export interface ReconcileGateway {
  /** Every open workflow of the kind. The engine may be some seconds behind in what it lists. */
  readonly listOpen: (
    kind: ResourceKind | 'run' | 'alert' | 'digest',
  ) => Promise<readonly OpenWorkflow[]>;
  /** Starts the workflow with the state, or hands its configuration to the one that runs. */
  readonly restoreMonitor: (state: MonitorState) => Promise<void>;
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
  /** Starts the alert's workflow; false when the engine knows it, under way or completed. */
  readonly restoreAlert: (input: AlertInput) => Promise<boolean>;
}
