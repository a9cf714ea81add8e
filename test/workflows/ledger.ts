/**
 * What workflows wrote in a test, and the responses of its database, its receivers and its probes.
 */
import type {
  AlertInput,
  AlertMessage,
  AlertTarget,
  DeliveryOutcome,
  DeliveryRecord,
} from '../../src/contracts/alerts';
import type {
  EscalationPlan,
  EscalationState,
  EscalationStatus,
} from '../../src/contracts/escalation';
import type { OutageWindow } from '../../src/contracts/heartbeat';
import type { HousekeepingPass, HousekeepingTask } from '../../src/contracts/housekeeping';
import type {
  IncidentRecord,
  MonitorCheckRecord,
  OperatorChangeRecord,
  RunRecord,
  ScenarioSlotRecord,
} from '../../src/contracts/records';
import type { StoredPing } from '../../src/models/heartbeats/pings';
import type { RefusedRecord } from '../../src/models/operations/refused-records';
import type { Result } from '../../src/models/results/result';

/** What workflows wrote, and whether the database is available. */
export interface Ledger {
  readonly checks: MonitorCheckRecord[];
  readonly slots: ScenarioSlotRecord[];
  readonly runs: RunRecord[];
  readonly operatorChanges: OperatorChangeRecord[];
  /** A housekeeping task that never ends. */
  hangingTask: HousekeepingTask | null;
  /** Housekeeping tasks as they were requested. */
  readonly housekeeping: (HousekeepingPass & { readonly task: HousekeepingTask })[];
  readonly gone: Set<string>;
  /** Delivery attempts in order, and the last stored state of each alert per recipient. */
  readonly tries: {
    readonly alert: AlertMessage;
    readonly target: string;
    readonly atMs: number;
    readonly lostTries: number;
  }[];
  readonly deliveries: Map<string, DeliveryRecord>;
  /** Alerts recorded as reported by a digest. */
  readonly folded: AlertMessage[];
  /** Alerts recorded as about to be added to a digest, by id. */
  readonly folding: Map<string, AlertMessage>;
  /**
   * The ids of the alerts in each signal to a digest, in the order in which Temporal received them.
   */
  readonly foldSignals: (readonly string[])[];
  /**
   * The fate of the next signals to digests: Temporal does not get them, their response is lost, or
   * they never return.
   */
  readonly foldFailures: ('lost' | 'response lost' | 'no response')[];
  /** Responses of recipients, by the key of the target; `sent` by default. */
  readonly receivers: Map<string, () => DeliveryOutcome>;
  /** The recipients of an alert. Default: the recipients of its rule. */
  findRecipients: (input: AlertInput) => readonly AlertTarget[];
  /** Incidents that are acknowledged in the database. */
  readonly quiet: Set<string>;
  /** Policies by the resource that uses them. */
  readonly policies: Map<string, EscalationPlan>;
  /** The state of the incidents of resources; open by default. */
  readonly standings: Map<string, EscalationStatus['state']>;
  /** The last stored state of escalations, by incident. */
  readonly escalations: Map<string, EscalationState>;
  /** When the quiet hours of escalations end. */
  quietUntilMs: number;
  /** Until when hours are closed, by their keys. */
  readonly closedUntilMs: Map<string, number>;
  /** The number of alerts that are sent individually; further alerts are folded. */
  admits: number;
  isAway: boolean;
  /** Monitors and scenarios for which the database refuses every record. */
  readonly refused: Set<string>;
  /** The operator's list of records that were refused for too long. */
  readonly givenUp: RefusedRecord[];
  /** Incidents at the time of a decision between two slots. */
  readonly decisions: IncidentRecord[];
  /** Monitors with a watch opened by a probe, once for each time. */
  readonly openedWatches: string[];
  /** Results of watches as they are stored. */
  readonly watchedRows: Result[];
  /** Pings in order of arrival; judged pings are removed. */
  readonly pings: StoredPing[];
  /** Times in which no ping could be received. */
  readonly absences: OutageWindow[];
  /** Since when no ping can be received; null if pings can be received. */
  absentSinceMs: number | null;
  /** True: reports of dependencies cannot be requested. */
  dropsSignals: boolean;
  /** The dependencies whose reports were requested. */
  readonly questions: string[];
  /** Tries to store the backlog. */
  handOvers: number;
  /**
   * Slots are stored when this resolves. A workflow that waits for it gets everything that happens
   * meanwhile in one task. Longer than some seconds is a failure of the database.
   */
  gate: Promise<void>;
  /** Slots of scenarios that came to the gate, whether it let them pass or not. */
  slotsAtGate: number;
}

/** A new ledger: nothing has happened, and everything is available. */
export function createLedger(): Ledger {
  return {
    checks: [],
    slots: [],
    runs: [],
    operatorChanges: [],
    hangingTask: null,
    housekeeping: [],
    gone: new Set(),
    tries: [],
    deliveries: new Map(),
    folded: [],
    folding: new Map(),
    foldSignals: [],
    foldFailures: [],
    receivers: new Map(),
    findRecipients: ({ recipients }) => recipients.targets,
    quiet: new Set(),
    policies: new Map(),
    standings: new Map(),
    escalations: new Map(),
    quietUntilMs: 0,
    closedUntilMs: new Map(),
    admits: Number.POSITIVE_INFINITY,
    isAway: false,
    dropsSignals: false,
    questions: [],
    refused: new Set(),
    givenUp: [],
    decisions: [],
    openedWatches: [],
    watchedRows: [],
    pings: [],
    absences: [],
    absentSinceMs: null,
    handOvers: 0,
    gate: Promise.resolve(),
    slotsAtGate: 0,
  };
}
