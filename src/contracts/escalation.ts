/**
 * Escalations in the form in which processes pass them to each other. An alert policy notifies people step by step
 * until someone responds. An escalation uses the policy as it was when the escalation started.
 */
import type { AlertMessage, AlertRecipients, IncidentSilence } from './alerts';

/** The events that end a step and its repetitions. */
export const ESCALATION_ENDS = ['acknowledged', 'recovered'] as const;
export type EscalationEnd = (typeof ESCALATION_ENDS)[number];

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Times of the week in which nothing is sent. Times of day are `HH:MM`. An end before the start is on the next day. */
export interface QuietHours {
  readonly timeZone: string;
  /** The days on which the quiet hours start. */
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly to: string;
}

/** When a step is due. The time during which an acknowledgement or snooze stops the step does not count. */
export interface EscalationTimes {
  readonly afterMinutes: number;
  readonly until: EscalationEnd;
  readonly repeat: { readonly everyMinutes: number; readonly times: number } | null;
  /**
   * Key of the hours of the step. Outside of these hours, the step waits. If the key is absent, the step never waits.
   */
  readonly hours?: string;
}

/** A contact that a step names: a channel or a member. */
export interface EscalationContact {
  /** True means that the contact gets no recovery alert. */
  readonly isRecoveryOff?: true;
  /** The id of the channel or member. */
  readonly id: string;
  readonly recipients: AlertRecipients;
}

export interface EscalationStep extends EscalationTimes {
  /**
   * Identifies the step if an escalation can get further steps while it runs. Steps whose keys have the same part
   * before `/` belong to the same policy. Absent if there is only one policy.
   */
  readonly key?: string;
  /** Quiet hours of this step alone. If absent, only the quiet hours of the plan apply. */
  readonly quietHours?: QuietHours;
  readonly contacts: readonly EscalationContact[];
}

/**
 * The conditions of a route, by which an account assigns policies. All conditions must match. An empty condition
 * matches everything.
 */
export interface RouteMatch {
  /** One of these tags must match. */
  readonly tags: readonly string[];
  /** One of these groups must match. A group includes the groups nested in it. */
  readonly groups: readonly string[];
  readonly type: RoutedType | null;
}

export const ROUTED_TYPES = ['monitor', 'heartbeat', 'scenario'] as const;
export type RoutedType = (typeof ROUTED_TYPES)[number];

export interface AlertRoute {
  readonly match: RouteMatch;
  /** Key of a policy. null means the channels of the resource itself. */
  readonly policy: string | null;
}

export interface EscalationPlan {
  readonly policyName: string;
  /**
   * The number of the account's route that chose the policy, from 1. null or absent if the resource names the policy.
   */
  readonly route?: number | null;
  readonly steps: readonly EscalationStep[];
  /** null if no quiet hours apply to this resource. */
  readonly quietHours: QuietHours | null;
  /** The channel that is notified if no one else can be reached. */
  readonly lastResort: string | null;
}

/** The policy that applies to an alert. */
export interface FoundPolicy extends EscalationPlan {
  /** The last stored state of the incident's escalation. Absent if no escalation has started. */
  readonly known?: EscalationState;
}

/** The progress of an escalation; the only argument of its workflow. */
export interface EscalationState {
  readonly v: 1;
  /** The failure that people are notified of. */
  readonly alert: AlertMessage;
  readonly plan: EscalationPlan;
  readonly startedAtMs: number;
  /** Numbers of the moments that are done. A moment is one notification of a step. */
  readonly done: readonly number[];
  /** Contacts that were notified, in the order of their notification. */
  readonly notified: readonly EscalationContact[];
  /** The step that last notified someone. null if no step has done so yet. */
  readonly lastStep: number | null;
  /** The current acknowledgement or snooze; null means that no one has responded. */
  readonly silence: IncidentSilence | null;
  /**
   * For each kind of end, the time during which a response stopped the steps. This time does not count towards the delays
   * of the steps.
   */
  readonly held: Readonly<Record<EscalationEnd, HeldTime>>;
  /**
   * True if an acknowledgement or snooze was undone or has ended. In that case, the contacts who were notified last get
   * a reminder.
   */
  readonly isResumed: boolean;
  /** How often the escalation started over, because its check was flapping and then stayed down. Absent means never. */
  readonly restarts?: number;
  /** How many reminders were sent after a response was undone or ended. */
  readonly resumptions: number;
  /** True means that the incident is over, so that only the recovery is sent. */
  readonly isOver: boolean;
  /** All events, oldest first. Absent in older states. */
  readonly events?: readonly EscalationEvent[];
  /** Grows with each stored record. Absent in older states, which count as 0. */
  readonly sequence?: number;
}

/** An event of an escalation: an action, or the reason for doing nothing. */
export type EscalationEvent =
  | {
      readonly kind: 'notified';
      readonly atMs: number;
      readonly step: number;
      /**
       * The steps that the notification covers. Empty if the notification is sent because a response was undone or has
       * ended.
       */
      readonly numbers: readonly number[];
      /** Ids of contacts that were notified for the first time. */
      readonly first: readonly string[];
      readonly again: readonly string[];
    }
  /** A notification was due, but was not sent yet. */
  | { readonly kind: 'held'; readonly atMs: number; readonly reason: HoldReason };

/** `paused` also means that the resource is in maintenance or outside of its hours. */
export type HoldReason = 'paused' | 'quiet' | 'flapping';

/** The stored form of an escalation. */
export interface EscalationRecord {
  readonly accountId: string;
  readonly incidentId: string;
  readonly state: EscalationState;
}

export interface HeldTime {
  readonly totalMs: number;
  /** When the time stopped counting. null means that the time counts. */
  readonly sinceMs: number | null;
}

/** Signal that passes an alert of the resource to the escalation. */
export const ESCALATION_SIGNAL = 'handOver';

/**
 * Signal that adds the steps of a plan, because the failure affects more checks. Steps that the escalation already has
 * are ignored.
 */
export const FURTHER_STEPS_SIGNAL = 'furtherSteps';

export function escalationWorkflowId(incidentId: string): string {
  return `escalation-${incidentId}`;
}

/** Facts that an escalation reads before it notifies people. */
export interface EscalationStatus {
  /**
   * `hold` means paused, in maintenance or outside of hours. `flapping` means that the resource is flapping, and up at
   * the moment. `gone` means deleted.
   */
  readonly state: 'open' | 'hold' | 'flapping' | 'over' | 'gone';
  /** The acknowledgement or snooze that the database has stored. */
  readonly silence: IncidentSilence | null;
  /** When to check again if the state is `hold`. Absent means soon. */
  readonly heldUntilMs?: number;
  /** End of the current quiet hours. null if there are no quiet hours now. */
  readonly quietUntilMs: number | null;
  /** Steps outside of their hours, and when those hours start. Absent if there is none. */
  readonly closedSteps?: readonly ClosedStep[];
}

export interface ClosedStep {
  readonly step: number;
  readonly untilMs: number;
}

/** Short activities of escalations. They run in the process of the workflows. */
export interface EscalationActivities {
  /**
   * Returns the policy of the incident's escalation. If no escalation has started, returns the policy of the alert's
   * resource. null if there is no policy, or if the database is unavailable.
   */
  readonly findPolicy: (alert: AlertMessage) => Promise<FoundPolicy | null>;
  /**
   * Returns the status. Returns `open` while the database is unavailable, because an unnecessary alert is better than a
   * missing alert.
   */
  readonly readEscalationStatus: (query: {
    readonly alert: AlertMessage;
    readonly quietHours: QuietHours | null;
    /** Keys of the hours of each step. If absent, no step has hours. */
    readonly stepHours?: readonly (string | null)[];
    /** Quiet hours of each step. Absent if there is none. */
    readonly stepQuietHours?: readonly (QuietHours | null)[];
    readonly atMs: number;
  }) => Promise<EscalationStatus>;
  /** Stores the state. Does not replace a newer state. Throws if the database is unavailable. */
  readonly saveEscalation: (record: EscalationRecord) => Promise<void>;
}
