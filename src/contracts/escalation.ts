/**
 * Escalations as they cross processes: whom an alert policy notifies, one step after the other, until
 * somebody answers. Recipients travel as in every alert; a policy is taken as it was at the beginning.
 */
import type { AlertMessage, AlertRecipients, IncidentSilence } from './alerts';

/** What ends the repetitions of a step and everything of it that is still to come. */
export const ESCALATION_ENDS = ['acknowledged', 'recovered'] as const;
export type EscalationEnd = (typeof ESCALATION_ENDS)[number];

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Times of the week in which nothing is sent. Times of day are `HH:MM`; an end before its start is on the next day. */
export interface QuietHours {
  readonly timeZone: string;
  /** On which they begin. */
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly to: string;
}

/** When a step is due, in time in which nobody has answered. */
export interface EscalationTimes {
  readonly afterMinutes: number;
  readonly until: EscalationEnd;
  readonly repeat: { readonly everyMinutes: number; readonly times: number } | null;
  /** Key of hours: outside of them the step waits for their beginning. Absent: it never does. */
  readonly hours?: string;
}

/** One whom a step names: a channel or a member. */
export interface EscalationContact {
  /** Its id. */
  readonly id: string;
  readonly recipients: AlertRecipients;
}

export interface EscalationStep extends EscalationTimes {
  readonly contacts: readonly EscalationContact[];
}

/** What a route of the account asks for: all that it names; a part that names nothing holds for everything. */
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

/** The policy that an alert goes by. */
export interface FoundPolicy extends EscalationPlan {
  /** How far the escalation of its incident was when it was stored last; absent: none has begun. */
  readonly known?: EscalationState;
}

/** How far an escalation is; the only argument of its workflow. */
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
  /** How people answered; null: nobody has. */
  readonly silence: IncidentSilence | null;
  /** Time that does not count, because somebody had answered. */
  readonly held: Readonly<Record<EscalationEnd, HeldTime>>;
  /** Whoever was notified last is reminded, since an answer was undone or has ended. */
  readonly isResumed: boolean;
  /** How often it began again since its check flapped and then stayed down; absent in older states: never. */
  readonly restarts?: number;
  /** Reminders of that kind so far. */
  readonly resumptions: number;
  /** The incident is over: only the recovery is sent. */
  readonly isOver: boolean;
  /** What happened so far, oldest first; absent in older states. */
  readonly events?: readonly EscalationEvent[];
  /** Grows with each record of it that is stored; absent in older states: 0. */
  readonly sequence?: number;
}

/** What an escalation did at an instant, or why it did nothing. */
export type EscalationEvent =
  | {
      readonly kind: 'notified';
      readonly atMs: number;
      readonly step: number;
      /** The moments that it stands for; none: a response was undone or has ended. */
      readonly numbers: readonly number[];
      /** Ids of contacts. */
      readonly first: readonly string[];
      readonly again: readonly string[];
    }
  /** Due, and held back. */
  | { readonly kind: 'held'; readonly atMs: number; readonly reason: HoldReason };

/** paused: or in maintenance, or outside of its hours. */
export type HoldReason = 'paused' | 'quiet' | 'flapping';

/** An escalation as the database keeps it. */
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

/** An alert of the resource that belongs to the escalation, instead of going out by itself. */
export const ESCALATION_SIGNAL = 'handOver';

export function escalationWorkflowId(incidentId: string): string {
  return `escalation-${incidentId}`;
}

/** What an escalation must know before it notifies people. */
export interface EscalationStatus {
  /** `hold`: paused, in maintenance or outside of its hours; `flapping`: up for the moment; `gone`: there is nothing any more. */
  readonly state: 'open' | 'hold' | 'flapping' | 'over' | 'gone';
  /** As the database has it. */
  readonly silence: IncidentSilence | null;
  /** Of `hold`: when to look again; absent: soon. */
  readonly heldUntilMs?: number;
  /** Until when it is quiet; null: it is not. */
  readonly quietUntilMs: number | null;
  /** Steps outside of their hours, and when those begin; absent: none is. */
  readonly closedSteps?: readonly ClosedStep[];
}

export interface ClosedStep {
  readonly step: number;
  readonly untilMs: number;
}

/** Short, and asked where the workflows run. */
export interface EscalationActivities {
  /**
   * The policy by which the escalation of the incident began, else that by which the resource of the alert
   * goes; null: none, or the database is away.
   */
  readonly findPolicy: (alert: AlertMessage) => Promise<FoundPolicy | null>;
  /** While the database is away, `open`: rather one alert too many. */
  readonly readEscalationStatus: (query: {
    readonly alert: AlertMessage;
    readonly quietHours: QuietHours | null;
    /** Keys of the hours of each step; absent: no step has any. */
    readonly stepHours?: readonly (string | null)[];
    readonly atMs: number;
  }) => Promise<EscalationStatus>;
  /** Stores how far it is unless something newer is stored. Throws while the database is away. */
  readonly saveEscalation: (record: EscalationRecord) => Promise<void>;
}
