/** Records what workflows wrote in a test. Sets the responses of its database, its receivers and its probes. */
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

/** Everything that workflows wrote, and the faults that the test causes around them. */
export interface Ledger {
  readonly checks: MonitorCheckRecord[];
  readonly slots: ScenarioSlotRecord[];
  readonly runs: RunRecord[];
  readonly operatorChanges: OperatorChangeRecord[];
  /** The housekeeping task that never ends. null if all tasks end. */
  hangingTask: HousekeepingTask | null;
  /** The requested housekeeping tasks, with their inputs. */
  readonly housekeeping: (HousekeepingPass & { readonly task: HousekeepingTask })[];
  readonly gone: Set<string>;
  /** Delivery attempts in order. `deliveries` contains the last stored state of each alert per recipient. */
  readonly tries: {
    readonly alert: AlertMessage;
    readonly target: string;
    readonly atMs: number;
    readonly lostTries: number;
  }[];
  readonly deliveries: Map<string, DeliveryRecord>;
  /** Alerts that are recorded as reported by a digest. */
  readonly folded: AlertMessage[];
  /** Alerts that are recorded as about to be added to a digest, by id. */
  readonly folding: Map<string, AlertMessage>;
  /**
   * The ids of the alerts in each signal to a digest, in the order in which Temporal received them.
   */
  readonly foldSignals: (readonly string[])[];
  /**
   * The fates of the next signals to digests, in order. Temporal does not get the signal, its response is lost, or the
   * call never returns.
   */
  readonly foldFailures: ('lost' | 'response lost' | 'no response')[];
  /** Responses of recipients, by the key of the target. The default is `sent`. */
  readonly receivers: Map<string, () => DeliveryOutcome>;
  /** Finds the recipients of an alert. By default, they are the recipients of its rule. */
  findRecipients: (input: AlertInput) => readonly AlertTarget[];
  /** Incidents that are acknowledged in the database. */
  readonly quiet: Set<string>;
  /** Policies, by the id of the resource that uses them. */
  readonly policies: Map<string, EscalationPlan>;
  /** States of the incidents, by the id of the resource. The default is `open`. */
  readonly standings: Map<string, EscalationStatus['state']>;
  /** The last stored state of each escalation, by incident. */
  readonly escalations: Map<string, EscalationState>;
  /** The instant at which the quiet hours of escalations end. */
  quietUntilMs: number;
  /** The instants until which hours are closed, by their keys. */
  readonly closedUntilMs: Map<string, number>;
  /** Number of alerts that are still sent individually. Further alerts are folded. */
  admits: number;
  isAway: boolean;
  /** Monitors and scenarios for which the database refuses every record. */
  readonly refused: Set<string>;
  /** The list, for the operator, of records that were refused for too long. */
  readonly givenUp: RefusedRecord[];
  /** The incidents as recorded at decisions between two slots. */
  readonly decisions: IncidentRecord[];
  /** Ids of the monitors whose watches a probe has opened, once for each time. */
  readonly openedWatches: string[];
  /** Results of watches in their stored form. */
  readonly watchedRows: Result[];
  /** Pings in order of arrival. Judged pings are removed. */
  readonly pings: StoredPing[];
  /** Times in which the service could not receive pings. */
  readonly absences: OutageWindow[];
  /** The instant since which the service cannot receive pings. null if it can receive them. */
  absentSinceMs: number | null;
  /** If true, reports of dependencies cannot be requested. */
  dropsSignals: boolean;
  /** The dependencies whose reports were requested. */
  readonly questions: string[];
  /** Number of tries to store the backlog. */
  handOvers: number;
  /**
   * Slots are stored only after this promise has resolved. A workflow that waits for it gets everything that happens in
   * the meantime in one task. A wait of more than some seconds counts as a failure of the database.
   */
  gate: Promise<void>;
  /** Number of slots of scenarios that reached the gate, even if the gate did not let them pass. */
  slotsAtGate: number;
}

/** Creates a ledger in which nothing has happened and everything is available. */
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
