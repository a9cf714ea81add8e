/**
 * Escalations as they cross processes: an alert policy notifies people step by step until someone responds. An
 * escalation keeps the policy with which it started.
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

/** When a step is due. Only time without a response is counted. */
export interface EscalationTimes {
  readonly afterMinutes: number;
  readonly until: EscalationEnd;
  readonly repeat: { readonly everyMinutes: number; readonly times: number } | null;
  /** Key of the hours of the step. Outside of them, the step waits. If absent, it never waits. */
  readonly hours?: string;
}

/** A contact that a step names: a channel or a member. */
export interface EscalationContact {
  /** True means that the contact gets no recovery. */
  readonly isRecoveryOff?: true;
  /** The id of the channel or member. */
  readonly id: string;
  readonly recipients: AlertRecipients;
}

export interface EscalationStep extends EscalationTimes {
  /**
   * Identifies the step if an escalation may get more steps while it runs. Steps with the same part before `/` belong
   * together. Absent in a single policy.
   */
  readonly key?: string;
  /** Quiet hours of this step alone. Absent means that only the quiet hours of the plan apply. */
  readonly quietHours?: QuietHours;
  readonly contacts: readonly EscalationContact[];
}

/** The conditions of a route of the account. All must match; an empty condition matches everything. */
export interface RouteMatch {
  /** One of these tags must match. */
  readonly tags: readonly string[];
  /** One of these groups must match, including the groups nested in it. */
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
  /** The number of the account's route that chose the policy, from 1. null or absent: the resource names the policy. */
  readonly route?: number | null;
  readonly steps: readonly EscalationStep[];
  /** null if no quiet hours apply to this resource. */
  readonly quietHours: QuietHours | null;
  /** The fallback channel, if no one else can be reached. */
  readonly lastResort: string | null;
}

/** The policy that covers an alert. */
export interface FoundPolicy extends EscalationPlan {
  /** The escalation of the incident as it was last stored. If absent, no escalation has started. */
  readonly known?: EscalationState;
}

/** The progress of an escalation; the only argument of its workflow. */
export interface EscalationState {
  readonly v: 1;
  /** The failure that people are notified of. */
  readonly alert: AlertMessage;
  readonly plan: EscalationPlan;
  readonly startedAtMs: number;
  /** Numbers of the moments that have been handled. A moment is one notification of a step. */
  readonly done: readonly number[];
  /** Contacts that were notified, in the order of their notification. */
  readonly notified: readonly EscalationContact[];
  /** The step that was notified last. null if there is no step yet. */
  readonly lastStep: number | null;
  /** The current acknowledgement or snooze; null means that no one has responded. */
  readonly silence: IncidentSilence | null;
  /** Time that does not count, because someone had responded. */
  readonly held: Readonly<Record<EscalationEnd, HeldTime>>;
  /**
   * True means that a response was undone or has ended, so the contacts notified last are reminded.
   */
  readonly isResumed: boolean;
  /**
   * How often the escalation started over, because its check was flapping and then stayed down.
   * Absent means never.
   */
  readonly restarts?: number;
  /** How many reminders were sent after a response was undone or ended. */
  readonly resumptions: number;
  /** True means that the incident is over, and only the recovery is sent. */
  readonly isOver: boolean;
  /** All events, oldest first. Absent in older states. */
  readonly events?: readonly EscalationEvent[];
  /** Grows with each stored record. Absent in older states: 0. */
  readonly sequence?: number;
}

/** An action of an escalation, or why it did nothing. */
export type EscalationEvent =
  | {
      readonly kind: 'notified';
      readonly atMs: number;
      readonly step: number;
      /**
       * The steps that the notification covers. Empty if it is sent because a response was undone
       * or has ended.
       */
      readonly numbers: readonly number[];
      /** Ids of contacts that were notified for the first time. */
      readonly first: readonly string[];
      readonly again: readonly string[];
    }
  /** The notification was due, but was held back. */
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
  /** When the time stopped counting. null means that time counts. */
  readonly sinceMs: number | null;
}

/** Passes an alert of the resource to the escalation. */
export const ESCALATION_SIGNAL = 'handOver';

/** Adds the steps of a plan, because the failure affects more checks. Steps that are known are ignored. */
export const FURTHER_STEPS_SIGNAL = 'furtherSteps';

export function escalationWorkflowId(incidentId: string): string {
  return `escalation-${incidentId}`;
}

/** What an escalation must know before it notifies people. */
export interface EscalationStatus {
  /** hold: paused, in maintenance or outside of hours. flapping: up for the moment. gone: deleted. */
  readonly state: 'open' | 'hold' | 'flapping' | 'over' | 'gone';
  /** The acknowledgement or snooze that the database has stored. */
  readonly silence: IncidentSilence | null;
  /** For `hold`: when to check again. Absent means soon. */
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

/** Short activities in the process of the workflows. */
export interface EscalationActivities {
  /**
   * Returns the policy of the incident's escalation or, before one has started, of the alert's
   * resource. null if there is no policy, or the database is unavailable.
   */
  readonly findPolicy: (alert: AlertMessage) => Promise<FoundPolicy | null>;
  /** Returns `open` while the database is unavailable: better one alert too many. */
  readonly readEscalationStatus: (query: {
    readonly alert: AlertMessage;
    readonly quietHours: QuietHours | null;
    /** Keys of the hours of each step. If absent, no step has hours. */
    readonly stepHours?: readonly (string | null)[];
    /** Quiet hours of each step. Absent if there is none. */
    readonly stepQuietHours?: readonly (QuietHours | null)[];
    readonly atMs: number;
  }) => Promise<EscalationStatus>;
  /** Stores the state unless a newer one is stored. Throws if the database is unavailable. */
  readonly saveEscalation: (record: EscalationRecord) => Promise<void>;
}
