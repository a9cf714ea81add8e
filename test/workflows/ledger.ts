/** What workflows wrote in a test, and what its database, its receivers and its probes answer. */
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
import type { Absence } from '../../src/contracts/heartbeat';
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

/** What workflows wrote, and whether the database is there to take it. */
export interface Ledger {
  readonly checks: MonitorCheckRecord[];
  readonly slots: ScenarioSlotRecord[];
  readonly runs: RunRecord[];
  readonly operatorChanges: OperatorChangeRecord[];
  /** A task of the housekeeping that never ends. */
  hangingTask: HousekeepingTask | null;
  /** Tasks of the housekeeping as they were requested. */
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
  /** Alerts of which it is noted that a digest tells of them. */
  readonly folded: AlertMessage[];
  /** Alerts of which it is noted that a digest is about to get them, by their ids. */
  readonly folding: Map<string, AlertMessage>;
  /** Ids of the alerts in each signal to a digest, in the order in which Temporal took them. */
  readonly foldSignals: (readonly string[])[];
  /** What happens to the next signals to digests: Temporal does not get them, its response is lost, or never comes. */
  readonly foldFailures: ('lost' | 'response lost' | 'no response')[];
  /** What places answer, by the key of the target; `sent` until then. */
  readonly receivers: Map<string, () => DeliveryOutcome>;
  /** Where an alert goes; as its rule said until then. */
  findRecipients: (input: AlertInput) => readonly AlertTarget[];
  /** Incidents that are acknowledged in the database. */
  readonly quiet: Set<string>;
  /** Policies by the resource that goes by them. */
  readonly policies: Map<string, EscalationPlan>;
  /** How the incidents of resources stand; open until then. */
  readonly standings: Map<string, EscalationStatus['state']>;
  /** Escalations as they were stored last, by their incidents. */
  readonly escalations: Map<string, EscalationState>;
  /** Until when escalations are quiet. */
  quietUntilMs: number;
  /** Until when hours are closed, by their keys. */
  readonly closedUntilMs: Map<string, number>;
  /** Alerts that are sent one by one; further ones are folded. */
  admits: number;
  isAway: boolean;
  /** Monitors and scenarios of which the database refuses every record. */
  readonly refused: Set<string>;
  /** The operator's list of what was refused for too long. */
  readonly givenUp: RefusedRecord[];
  /** Incidents as they were when something was decided between two slots. */
  readonly decisions: IncidentRecord[];
  /** Monitors whose watch a probe has opened, once for each time. */
  readonly openedWatches: string[];
  /** Results of watches as they are stored. */
  readonly watchedRows: Result[];
  /** Pings as they arrived, oldest first; those that are judged go. */
  readonly pings: StoredPing[];
  /** Times in which no ping could be taken. */
  readonly absences: Absence[];
  /** Since when no ping can be taken; null: they can. */
  absentSinceMs: number | null;
  /** True: nobody can be asked how what others depend on is. */
  isDeaf: boolean;
  /** Those who were asked how they are. */
  readonly questions: string[];
  /** Tries to hand over what waited. */
  handOvers: number;
  /**
   * Slots are stored when this resolves. A workflow that waits for it takes all that happens meanwhile
   * in one task; longer than some seconds is a failure of the database.
   */
  gate: Promise<void>;
  /** Slots of scenarios that came to the gate, whether it let them pass or not. */
  slotsAtGate: number;
}

/** Nothing has happened, and all is there. */
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
    isDeaf: false,
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
