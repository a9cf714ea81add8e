/**
 * Incidents and alerts as they cross processes: what people must be notified of, and where it is
 * delivered. Destinations are sealed; only the sender opens them.
 */

import type { AlertEvent, AlertKind } from './alerting/alert-kinds';
import type { ExpiringCertificate } from './certificates';
import type { Guidance, ResourceKind } from './definition';
import type { Flapping, FlappingFacts, IncidentSilence } from './flapping';
import type { AlertExchange } from './outcome';
import type { ExplainedBy, Health, IncidentRecord } from './records';

export type { Flapping, FlappingFacts, IncidentSilence };
export const ALERT_QUEUE = 'alerts';

/**
 * The priority of every workflow that notifies people, and so of the workflows that it starts and of their activities:
 * when the orchestrator has a backlog, they precede checks and runs. 1 is the highest, 3 the default.
 */
export const ALERT_PRIORITY = { priorityKey: 1 } as const;
/** For what is sent to programs: after everything else, even on the queue of alerts. */
export const EVENT_PRIORITY = { priorityKey: 5 } as const;

/** Texts of an account that replace the built-in ones, in Liquid. */
export interface AlertTemplate {
  readonly title?: string | null | undefined;
  /** The whole body if the channel is a webhook. */
  readonly text: string;
}

/** One recipient of alerts. */
export interface AlertTarget {
  /** Identifies the recipient within the resource, so that nothing is sent to it twice. */
  readonly key: string;
  /** A type from the registry of channels, perhaps of a newer version. */
  readonly type: string;
  /** null for email addresses that the resource itself names. */
  readonly channelId: string | null;
  /** The destination with most of it hidden, for records. */
  readonly masked: string;
  /** An AlertAddress, sealed for its account. */
  readonly sealed: string;
  /** Absent if the database was not asked: the built-in text is then sent. */
  readonly template?: AlertTemplate;
  /** Alerts of other kinds are not sent there; absent: all are. */
  readonly onlyKinds?: readonly AlertKind[];
  /** The channel that gets the alert if this one has not accepted it by then, or refuses it for good. */
  readonly fallback?: { readonly channelId: string; readonly afterMinutes: number };
  /** Gets alerts only as the fallback of another recipient. */
  readonly isStandby?: boolean;
}

/** The sealed part of a target: the fields of its type for one recipient, without a template. */
export interface AlertAddress {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** Webhooks only. */
  readonly signingSecret?: string;
}

export interface AlertRules {
  /** Words for the account's default channels, and ids of channels. */
  readonly channels: readonly string[];
  /** The recipients as they were when the rule was saved; used when the database cannot be asked. */
  readonly targets: readonly AlertTarget[];
  readonly onFailure: boolean;
  readonly onRecovery: boolean;
  readonly onDegraded: boolean;
  readonly remindEveryMinutes: number | null;
  /** Key of the policy that covers failures instead; null, or absent in older states: none. */
  readonly policy?: string | null;
}

/** The state from which alerts are decided, between slots. */
export interface AlertState {
  /** The incident that is open. */
  readonly incident: IncidentRecord | null;
  /** Notifications without a recovery so far, in the order they were sent; at most one of each kind. */
  readonly notices: readonly Notice[];
  /** The current acknowledgement or snooze of the open incident; null: nobody has responded. */
  readonly silence: IncidentSilence | null;
  readonly remindedAtMs: number | null;
  /** A snooze has ended, and nobody has been reminded since. */
  readonly isReminderDue: boolean;
  /** True if it was degraded when it was last observed. */
  readonly isDegraded: boolean;
  /** When it recently went down or recovered. */
  readonly changesMs: readonly number[];
  /** Since when changes are not sent one by one because there are too many. */
  readonly flappingSinceMs: number | null;
  /** When it recently went down; absent in older states. */
  readonly outagesMs?: readonly number[];
  /** The flapping that people were notified of; null, or absent in older states: it is not flapping. */
  readonly flapping?: Flapping | null;
  /** The failure that is not sent, since its dependencies are being asked or explain it; null: there is none. */
  readonly hold: AlertHold | null;
  /** The open incident has changed since it was last stored. */
  readonly isUnsaved: boolean;
}

/** A failure that waits for the reports of its dependencies. */
export interface AlertHold {
  readonly incidentId: string;
  readonly slotMs: number;
  /** null: the dependencies are still being asked. */
  readonly explainedBy: ExplainedBy | null;
}

/** A notification of a problem, and its recipients: they get the recovery, too. */
export interface Notice {
  readonly kind: 'degraded' | 'failure';
  readonly sinceMs: number;
  /** The incident of a failure; null for other kinds. */
  readonly incident: IncidentRecord | null;
  readonly recipients: AlertRecipients;
}

/** An alert message, in facts; the sender finds the words. */
export interface AlertMessage {
  readonly id: string;
  readonly kind: AlertKind;
  readonly accountId: string;
  readonly incidentId: string | null;
  readonly resourceType: ResourceKind;
  readonly resourceId: string;
  readonly resourceName: string;
  readonly atMs: number;
  /** Since when the state lasts that the alert reports. */
  readonly sinceMs: number;
  /** When the incident began that this alert ends or belongs to. */
  readonly openedAtMs: number | null;
  /** The current health. */
  readonly health: Health;
  /** The notifications that a recovery ends, the last one first; empty for other kinds. */
  readonly ends: readonly Notice['kind'][];
  readonly cause: IncidentRecord['cause'];
  readonly regions: readonly string[];
  /** The certificate that an alert of kind `certificate` is about; null for other kinds. */
  readonly certificate: ExpiringCertificate | null;
  /** Present in flapping notices only; absent in older alerts. */
  readonly flapping?: FlappingFacts;
  /** true: it flapped, and now stays down. */
  readonly staysDown?: true;
  readonly guidance?: Guidance;
  /** The first assertion that failed. */
  readonly assertion: { readonly [Part in 'text' | 'expected' | 'actual']: string } | null;
  /** The request and response of the failing check; absent: nothing was sent, or it is not known. */
  readonly exchange?: AlertExchange;
  /** The last passing result before a failure, from the first region that failed; absent: none, or it is not known. */
  readonly lastPassing?: LastPassing;
  /** Set if an alert policy sends it. */
  readonly escalation?: {
    readonly policyName: string;
    /** The number of the step, from 1. */
    readonly step: number;
    readonly steps: number;
    readonly lastResort: string | null;
    /** recovered: an acknowledgement does not stop the step. */
    readonly until?: 'acknowledged' | 'recovered';
  };
  /** The alerts folded into a digest; empty for other kinds. */
  readonly entries: readonly DigestEntry[];
  /** For a failure or reminder: what else is down because of it. Absent: nothing. */
  readonly explains?: ExplainedOthers;
  /** The content of an alert of kind `event`: it is sent to a program, and no incident lists it. */
  readonly event?: AlertEvent;
}

/** A passing result as alerts show it next to the failing one; secrets are masked. */
export interface LastPassing extends Pick<AlertExchange, 'status' | 'body'> {
  readonly atMs: number;
  readonly responseTimeMs: number | null;
}

/** Other resources that are down because of this one. */
export interface ExplainedOthers {
  readonly count: number;
  /** The first ones. */
  readonly names: readonly string[];
}

export interface DigestEntry {
  readonly kind: AlertKind;
  readonly resourceName: string;
  readonly incidentId: string | null;
  /** Since when this state lasts; for a certificate: when it expires. */
  readonly atMs: number;
}

/** The recipients of an alert, by the rules in force at that time. */
export type AlertRecipients = Pick<AlertRules, 'channels' | 'targets'>;

export interface AlertInput {
  readonly v: 1;
  readonly alert: AlertMessage;
  readonly recipients: AlertRecipients;
  /** The earlier tries of an alert that is resumed after its workflow was lost. */
  readonly earlier?: EarlierAttempts;
  /** The decision made before the workflow began, so that the alert is not counted twice; absent: it decides itself. */
  readonly decided?: 'send' | 'fold';
}

/** Earlier tries by the key of the target. */
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

/** The delivery of one alert to one recipient, as it is now. */
export interface DeliveryRecord {
  readonly alert: AlertMessage;
  readonly target: AlertTarget;
  readonly status: DeliveryStatus;
  readonly attempts: readonly DeliveryAttempt[];
  /** Counts up with each save, so that an older state never replaces a newer one. */
  readonly sequence: number;
  /** The recipients that may step in for the target. */
  readonly standby?: readonly AlertTarget[];
}

/** The outcome of one try to deliver. */
export type DeliveryOutcome =
  | { readonly kind: 'sent'; readonly detail: string }
  /** Worth another try, but not before `afterMs` if that is set. */
  | { readonly kind: 'later'; readonly detail: string; readonly afterMs: number | null }
  /** No further try can help. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** Nobody needs it any more; nothing was sent. */
  | { readonly kind: 'moot'; readonly detail: string };

/** The input of one try. */
export interface DeliveryTry {
  readonly alert: AlertMessage;
  readonly target: AlertTarget;
  /** The number of earlier tries that ended without a report because the sender was lost; absent: none. */
  readonly lostTries?: number;
}

/** Served on the queue of alerts. */
export interface AlertActivities {
  /** One try; it never throws for what the receiver does. */
  readonly deliverAlert: (input: DeliveryTry) => Promise<DeliveryOutcome>;
  /** Forward only; may be repeated. */
  readonly saveDelivery: (record: DeliveryRecord) => Promise<void>;
  /** Hands an alert to the digest of its account, which is sent within a minute. */
  readonly foldIntoDigest: (folded: FoldedAlert) => Promise<void>;
  /** Notes that these are part of a digest; forward only, may be repeated. */
  readonly keepFolded: (folded: readonly FoldedAlert[]) => Promise<void>;
  /** Ids of those alerts that an earlier digest reported; none while the database is unavailable. */
  readonly findReported: (query: {
    readonly accountId: string;
    readonly deliveries: readonly {
      readonly alert: Pick<AlertMessage, 'id' | 'atMs'>;
      readonly target: Pick<AlertTarget, 'key'>;
    }[];
  }) => Promise<readonly string[]>;
  /** The incidents that need no reminder of this kind; none while the database is unavailable. */
  readonly findQuietIncidents: (query: {
    readonly accountId: string;
    readonly incidentIds: readonly string[];
    /** recovered: an acknowledgement does not stop these; absent: it does. */
    readonly until?: 'acknowledged' | 'recovered';
  }) => Promise<readonly string[]>;
}

/** The steps before sending. They are short, and run in the process that runs the workflows. */
export interface AlertPreparation {
  /** The recipients as they are now, or as they were when the rule was saved; notes pending deliveries. */
  readonly findRecipients: (input: AlertInput) => Promise<readonly AlertTarget[]>;
  /** True: send it; false: too many at this moment, fold it into a digest. */
  readonly admitAlert: (alert: AlertMessage) => Promise<boolean>;
}

/** An alert that is sent together with others. */
export interface FoldedAlert {
  readonly alert: AlertMessage;
  readonly targets: readonly AlertTarget[];
  readonly earlier?: EarlierAttempts;
  /** It may have been folded before, and an earlier digest may have reported it. */
  readonly isRepeated?: true;
}
