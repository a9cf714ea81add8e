/**
 * Types of incidents and alerts that processes pass to each other. Only the process that sends alerts can decrypt
 * destinations.
 */

import type {
  DigestEntry,
  EarlierNotification,
  ExplainedOthers,
  LastPassing,
  PassingCheck,
  Responder,
} from './alerting/alert-facts';
import type { AlertEvent, AlertKind } from './alerting/alert-kinds';
import type { ProviderFacts, SubjectType } from './alerting/identity-providers';
import type { ExpiringCertificate } from './certificates';
import type { Guidance } from './definition';
import type { Flapping, FlappingFacts, IncidentSilence } from './flapping';
import type { AlertExchange } from './outcome';
import type { ExplainedBy, Health, IncidentRecord } from './records';

export type { DigestEntry, ExplainedOthers, Flapping, FlappingFacts, IncidentSilence, LastPassing };
export const ALERT_QUEUE = 'alerts';

/**
 * The priority of workflows that notify people. If the orchestrator has a backlog, these workflows run before checks
 * and runs. 1 is the highest priority, 3 the default.
 */
export const ALERT_PRIORITY = { priorityKey: 1 } as const;
/** The lowest priority, for messages to programs. */
export const EVENT_PRIORITY = { priorityKey: 5 } as const;

/** Liquid templates of an account, which replace the built-in texts. */
export interface AlertTemplate {
  readonly title?: string | null | undefined;
  /** The text. For a webhook, this is the whole body. */
  readonly text: string;
}

/** One recipient of alerts. */
export interface AlertTarget {
  /** Unique within the resource, so that a recipient gets nothing twice. */
  readonly key: string;
  /** A type from the registry of channels. It may be a type that only a newer version knows. */
  readonly type: string;
  /** The id of the channel. null for email addresses that the resource itself names. */
  readonly channelId: string | null;
  /** The masked destination, for records. */
  readonly masked: string;
  /** An AlertAddress, encrypted for its account. */
  readonly sealed: string;
  /** Absent if the channel has no template, or if the template could not be read. The built-in text is then sent. */
  readonly template?: AlertTemplate;
  /** The kinds of alerts that the recipient gets. Absent means all. */
  readonly onlyKinds?: readonly AlertKind[];
  /** The channel that gets the alert if this recipient refuses it or does not accept it in time. */
  readonly fallback?: { readonly channelId: string; readonly afterMinutes: number };
  /** True if the recipient gets alerts only as the fallback of another recipient. */
  readonly isStandby?: boolean;
}

/** The encrypted part of a target: the type of the channel and its config, without a template. */
export interface AlertAddress {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** The secret that signs the requests of a webhook. */
  readonly signingSecret?: string;
}

export interface AlertRules {
  /** Ids of channels, and keywords for the default channels of the account. */
  readonly channels: readonly string[];
  /** The recipients as they were when the rule was saved. Used when the database is unavailable. */
  readonly targets: readonly AlertTarget[];
  readonly onFailure: boolean;
  readonly onRecovery: boolean;
  readonly onDegraded: boolean;
  readonly remindEveryMinutes: number | null;
  /** Key of the policy that handles failures instead of this rule. null or absent: no policy. */
  readonly policy?: string | null;
}

/** The state that decisions about alerts depend on. The state is kept between slots. */
export interface AlertState {
  /** The open incident. null if there is none. */
  readonly incident: IncidentRecord | null;
  /** Notifications whose problem has not ended yet, oldest first, at most one of each kind. */
  readonly notices: readonly Notice[];
  /** The acknowledgement or snooze of the open incident. null if no one has responded. */
  readonly silence: IncidentSilence | null;
  readonly remindedAtMs: number | null;
  /** True means that a snooze has ended, and no reminder has been sent since. */
  readonly isReminderDue: boolean;
  /** True if the resource was degraded when it was last observed. */
  readonly isDegraded: boolean;
  /** When the resource went down or recovered within the period that decides about flapping. */
  readonly changesMs: readonly number[];
  /** When flapping began. Since then, changes are not reported individually, because there are too many. */
  readonly flappingSinceMs: number | null;
  /** The recent times at which the resource went down. Absent in older states. */
  readonly outagesMs?: readonly number[];
  /** The flapping that people were notified of. null or absent if the resource is not flapping. */
  readonly flapping?: Flapping | null;
  /** A failure of which no one is notified yet, because dependencies explain or may explain it. null if there is none. */
  readonly hold: AlertHold | null;
  /** True means that the open incident has changed since it was last stored. */
  readonly isUnsaved: boolean;
}

/** A failure of which no one is notified yet. A dependency explains the failure, or the dependencies are being asked. */
export interface AlertHold {
  readonly incidentId: string;
  readonly slotMs: number;
  /** The dependency that explains the failure. null while the dependencies are being asked about their health. */
  readonly explainedBy: ExplainedBy | null;
}

/** A notification of a problem. Its recipients are also notified of the recovery. */
export interface Notice {
  readonly kind: 'degraded' | 'failure';
  readonly sinceMs: number;
  /** The incident of a failure; null for other kinds. */
  readonly incident: IncidentRecord | null;
  readonly recipients: AlertRecipients;
}

/** An alert message as facts. The sender turns them into text. */
export interface AlertMessage {
  readonly id: string;
  readonly kind: AlertKind;
  readonly accountId: string;
  readonly incidentId: string | null;
  readonly resourceType: SubjectType;
  readonly resourceId: string;
  readonly resourceName: string;
  readonly atMs: number;
  /** When the state that the alert reports began. */
  readonly sinceMs: number;
  /** When the incident of this alert began. */
  readonly openedAtMs: number | null;
  readonly health: Health;
  /** The kinds of problems that ended with a recovery, latest first. Empty for other kinds of alerts. */
  readonly ends: readonly Notice['kind'][];
  readonly cause: IncidentRecord['cause'];
  readonly regions: readonly string[];
  /** The certificate of an alert of kind `certificate`; null for other kinds. */
  readonly certificate: ExpiringCertificate | null;
  /** Present only in notices about flapping. Absent in older alerts. */
  readonly flapping?: FlappingFacts;
  /** true means that the resource was flapping, and now stays down. */
  readonly staysDown?: true;
  readonly guidance?: Guidance;
  /** The number of the outage within its incident, at least 2. Absent for the first outage, or if unknown. */
  readonly episode?: number;
  /** The first assertion that failed. */
  readonly assertion: { readonly [Part in 'text' | 'expected' | 'actual']: string } | null;
  /** The request and response of the failing check. Absent if nothing was sent, or if unknown. */
  readonly exchange?: AlertExchange;
  /** The last passing result in the first failed region. Absent if none is known. */
  readonly lastPassing?: LastPassing;
  /**
   * The check that ended the problem. Present only in recoveries of monitors, and in notices about flapping while the
   * monitor is up.
   */
  readonly passing?: PassingCheck;
  /** Who acknowledged the incident that is over. Present only in recoveries. */
  readonly acknowledged?: Responder;
  /** Who else was notified of the incident before, oldest first. Present only in reminders and later steps. */
  readonly alsoNotified?: readonly EarlierNotification[];
  /** Set if an alert policy sends the alert. */
  readonly escalation?: {
    readonly policyName: string;
    /** The number of the step, from 1. */
    readonly step: number;
    readonly steps: number;
    readonly lastResort: string | null;
    /** `recovered` means that an acknowledgement does not stop the step. */
    readonly until?: 'acknowledged' | 'recovered';
  };
  /** The alerts that a digest contains. Empty for other kinds. */
  readonly entries: readonly DigestEntry[];
  /** The alert itself, if a digest contains only one. */
  readonly only?: AlertMessage;
  /** Other resources that are down because of this failure. Absent if there is none. */
  readonly explains?: ExplainedOthers;
  /** Present only in alerts about an identity provider. */
  readonly provider?: ProviderFacts;
  /** The content of an alert of kind `event`, which is sent to a program. */
  readonly event?: AlertEvent;
}

/** The recipients of an alert, by the rules that applied when it was sent. */
export type AlertRecipients = Pick<AlertRules, 'channels' | 'targets'>;

export interface AlertInput {
  readonly v: 1;
  readonly alert: AlertMessage;
  readonly recipients: AlertRecipients;
  /** Earlier delivery attempts, if the alert is resumed after its workflow was lost. */
  readonly earlier?: EarlierAttempts;
  /** The decision made before the workflow started: send, or add to a digest. If absent, the workflow decides. */
  readonly decided?: 'send' | 'fold';
}

/** Earlier delivery attempts by the key of the target. */
export type EarlierAttempts = Readonly<Record<string, readonly DeliveryAttempt[]>>;

export function alertWorkflowId(alertId: string): string {
  return `alert-${alertId}`;
}

export const DELIVERY_STATUSES = ['pending', 'sent', 'failed', 'suppressed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface DeliveryAttempt {
  readonly atMs: number;
  readonly outcome: 'sent' | 'failed';
  readonly detail: string;
}

/** The delivery of one alert to one recipient. */
export interface DeliveryRecord {
  readonly alert: AlertMessage;
  readonly target: AlertTarget;
  readonly status: DeliveryStatus;
  readonly attempts: readonly DeliveryAttempt[];
  /** Grows with each save. An older state then never replaces a newer one. */
  readonly sequence: number;
  /** Recipients that get the alert if the target does not accept it. */
  readonly standby?: readonly AlertTarget[];
}

/** The outcome of one delivery attempt. */
export type DeliveryOutcome =
  | { readonly kind: 'sent'; readonly detail: string }
  /** A retry may succeed. `afterMs` is the minimum time to wait, if known. */
  | { readonly kind: 'later'; readonly detail: string; readonly afterMs: number | null }
  /** No retry can succeed. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** Nothing was sent, because the alert is no longer needed. */
  | { readonly kind: 'moot'; readonly detail: string };

/** The input of one delivery attempt. */
export interface DeliveryTry {
  readonly alert: AlertMessage;
  readonly target: AlertTarget;
  /** The number of earlier attempts that crashed their sender. Absent if there is none. */
  readonly lostTries?: number;
}

/** Activities on the task queue of alerts. */
export interface AlertActivities {
  /** Makes one attempt. Never throws because of the receiver's behaviour. */
  readonly deliverAlert: (input: DeliveryTry) => Promise<DeliveryOutcome>;
  /** Stores the record. Does not replace a newer record. Calls can be repeated safely. */
  readonly saveDelivery: (record: DeliveryRecord) => Promise<void>;
  /** Adds an alert to the digest of its account, which is sent within a minute. */
  readonly foldIntoDigest: (folded: FoldedAlert) => Promise<void>;
  /** Records that a digest contains these alerts. Never replaces a newer record. Calls can be repeated safely. */
  readonly keepFolded: (folded: readonly FoldedAlert[]) => Promise<void>;
  /** Returns the ids of the alerts that an earlier digest contained. Empty if the database is unavailable. */
  readonly findReported: (query: {
    readonly accountId: string;
    readonly deliveries: readonly {
      readonly alert: Pick<AlertMessage, 'id' | 'atMs'>;
      readonly target: Pick<AlertTarget, 'key'>;
    }[];
  }) => Promise<readonly string[]>;
  /** Returns the given incidents that are acknowledged, snoozed or over. Empty if the database is unavailable. */
  readonly findQuietIncidents: (query: {
    readonly accountId: string;
    readonly incidentIds: readonly string[];
    /** If `recovered`, reminders continue after an acknowledgement. Otherwise, they stop. */
    readonly until?: 'acknowledged' | 'recovered';
  }) => Promise<readonly string[]>;
}

/** The activities that prepare an alert for sending. They run in the process of the workflows. */
export interface AlertPreparation {
  /** Returns the recipients of the alert and stores their pending deliveries. */
  readonly findRecipients: (input: AlertInput) => Promise<readonly AlertTarget[]>;
  /** Returns false if there are too many alerts. The alert then joins a digest. */
  readonly admitAlert: (alert: AlertMessage) => Promise<boolean>;
}

/** An alert that is sent in a digest, together with others. */
export interface FoldedAlert {
  readonly alert: AlertMessage;
  readonly targets: readonly AlertTarget[];
  readonly earlier?: EarlierAttempts;
  /** True means that an earlier digest may contain the alert. */
  readonly isRepeated?: true;
}
