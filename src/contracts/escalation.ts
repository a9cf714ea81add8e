/**
 * Escalations as they cross processes: whom an alert policy notifies, step after step, until someone
 * responds. Recipients are passed as in every alert; an escalation keeps its policy as it was at the start.
 */
import type { AlertMessage, AlertRecipients, IncidentSilence } from './alerts';

/** The events that end a step, with its repetitions and everything that it still had to send. */
export const ESCALATION_ENDS = ['acknowledged', 'recovered'] as const;
export type EscalationEnd = (typeof ESCALATION_ENDS)[number];

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Times of the week in which nothing is sent. Times of day are `HH:MM`; an end before its start is on the next day. */
export interface QuietHours {
  readonly timeZone: string;
  /** The days on which they begin. */
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly to: string;
}

/** When a step is due, counting only time without a response. */
export interface EscalationTimes {
  readonly afterMinutes: number;
  readonly until: EscalationEnd;
  readonly repeat: { readonly everyMinutes: number; readonly times: number } | null;
  /** Key of hours: outside of them the step waits for their beginning. Absent: it never does. */
  readonly hours?: string;
}

/** A contact that a step names: a channel or a member. */
export interface EscalationContact {
  /** The id of the channel or member. */
  readonly id: string;
  readonly recipients: AlertRecipients;
}

export interface EscalationStep extends EscalationTimes {
  readonly contacts: readonly EscalationContact[];
}

/** The conditions of a route of the account: all must match; an empty one matches everything. */
export interface RouteMatch {
  /** Matches any of them. */
  readonly tags: readonly string[];
  /** Likewise; each with the groups nested in it. */
  readonly groups: readonly string[];
  readonly type: RoutedType | null;
}

export const ROUTED_TYPES = ['monitor', 'heartbeat', 'scenario'] as const;
export type RoutedType = (typeof ROUTED_TYPES)[number];

export interface AlertRoute {
  readonly match: RouteMatch;
  /** Key of a policy; null: the channels of the resource itself. */
  readonly policy: string | null;
}

export interface EscalationPlan {
  readonly policyName: string;
  /** The route of the account that chose the policy, from 1; null, or absent in older states: the resource names it. */
  readonly route?: number | null;
  readonly steps: readonly EscalationStep[];
  /** null: none, or none that holds for this resource. */
  readonly quietHours: QuietHours | null;
  /** Fallback channel, if no one else can be reached. */
  readonly lastResort: string | null;
}

/** The policy that covers an alert. */
export interface FoundPolicy extends EscalationPlan {
  /** The escalation of its incident as it was last stored; absent: none has begun. */
  readonly known?: EscalationState;
}

/** The progress of an escalation; the only argument of its workflow. */
export interface EscalationState {
  readonly v: 1;
  /** The failure, as people are notified of it. */
  readonly alert: AlertMessage;
  readonly plan: EscalationPlan;
  readonly startedAtMs: number;
  /** Numbers of the moments that are over. */
  readonly done: readonly number[];
  /** Contacts that were notified, in that order. */
  readonly notified: readonly EscalationContact[];
  /** The step that was notified last; null: none yet. */
  readonly lastStep: number | null;
  /** The current acknowledgement or snooze; null: nobody has responded. */
  readonly silence: IncidentSilence | null;
  /** Time that does not count, because someone had responded. */
  readonly held: Readonly<Record<EscalationEnd, HeldTime>>;
  /** The contacts notified last are reminded, since a response was undone or has ended. */
  readonly isResumed: boolean;
  /** How often it started over because its check flapped and then stayed down; absent in older states: never. */
  readonly restarts?: number;
  /** Reminders after a response was undone or ended, so far. */
  readonly resumptions: number;
  /** The incident is over: only the recovery is sent. */
  readonly isOver: boolean;
  /** The events so far, oldest first; absent in older states. */
  readonly events?: readonly EscalationEvent[];
  /** Grows with each stored record; absent in older states: 0. */
  readonly sequence?: number;
}

/** An action of an escalation at an instant, or the reason why it did nothing. */
export type EscalationEvent =
  | {
      readonly kind: 'notified';
      readonly atMs: number;
      readonly step: number;
      /** The moments that it covers; none: a response was undone or has ended. */
      readonly numbers: readonly number[];
      /** Ids of contacts. */
      readonly first: readonly string[];
      readonly again: readonly string[];
    }
  /** Due, and held back. */
  | { readonly kind: 'held'; readonly atMs: number; readonly reason: HoldReason };

/** paused: or in maintenance, or outside of its hours. */
export type HoldReason = 'paused' | 'quiet' | 'flapping';

/** An escalation as the database stores it. */
export interface EscalationRecord {
  readonly accountId: string;
  readonly incidentId: string;
  readonly state: EscalationState;
}

export interface HeldTime {
  readonly totalMs: number;
  /** null: time counts. */
  readonly sinceMs: number | null;
}

/** Hands an alert of the resource to the escalation, instead of sending it directly. */
export const ESCALATION_SIGNAL = 'handOver';

export function escalationWorkflowId(incidentId: string): string {
  return `escalation-${incidentId}`;
}

/** The facts that an escalation needs before it notifies people. */
export interface EscalationStatus {
  /** `hold`: paused, in maintenance or outside of its hours; `flapping`: up for the moment; `gone`: deleted. */
  readonly state: 'open' | 'hold' | 'flapping' | 'over' | 'gone';
  /** The silence as the database has it. */
  readonly silence: IncidentSilence | null;
  /** For `hold`: when to look again; absent: soon. */
  readonly heldUntilMs?: number;
  /** End of the current quiet hours; null: outside of any. */
  readonly quietUntilMs: number | null;
  /** Steps outside of their hours, and when those begin; absent: none is. */
  readonly closedSteps?: readonly ClosedStep[];
}

export interface ClosedStep {
  readonly step: number;
  readonly untilMs: number;
}

/** Short, and called where the workflows run. */
export interface EscalationActivities {
  /**
   * The policy with which the escalation of the incident began, else the policy of the alert's resource;
   * null: none, or the database is unavailable.
   */
  readonly findPolicy: (alert: AlertMessage) => Promise<FoundPolicy | null>;
  /** `open` while the database is unavailable: better one alert too many. */
  readonly readEscalationStatus: (query: {
    readonly alert: AlertMessage;
    readonly quietHours: QuietHours | null;
    /** Keys of the hours of each step; absent: no step has any. */
    readonly stepHours?: readonly (string | null)[];
    readonly atMs: number;
  }) => Promise<EscalationStatus>;
  /** Stores the state unless a newer one is stored. Throws if the database is unavailable. */
  readonly saveEscalation: (record: EscalationRecord) => Promise<void>;
}
