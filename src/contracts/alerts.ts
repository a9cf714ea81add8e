/**
 * Incidents and alerts as they cross processes: what a workflow owes to people, and where it is to
 * be delivered. Addresses travel sealed; only the sender opens them.
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
 * Of every workflow that notifies people, and so of those that it starts and of their activities: where the
 * orchestrator is behind with its work, they go before checks and runs. 1 is the highest, 3 what others have.
 */
export const ALERT_PRIORITY = { priorityKey: 1 } as const;
/** Of what is sent to programs: after everything else, also on the queue of alerts. */
export const EVENT_PRIORITY = { priorityKey: 5 } as const;

/** Words of an account instead of our own, in Liquid. */
export interface AlertTemplate {
  readonly title?: string | null | undefined;
  /** The whole body where the channel is a webhook. */
  readonly text: string;
}

/** One recipient of alerts. */
export interface AlertTarget {
  /** Names the recipient within the resource, so that nothing is sent there twice. */
  readonly key: string;
  /** A type of the registry of channels, perhaps of a newer version. */
  readonly type: string;
  /** null for addresses that the resource itself names. */
  readonly channelId: string | null;
  /** The place with most of it hidden, for records. */
  readonly masked: string;
  /** An AlertAddress, sealed for its account. */
  readonly sealed: string;
  /** Absent where the database was not asked: our own words are sent then. */
  readonly template?: AlertTemplate;
  /** Alerts of other kinds do not go there; absent: all do. */
  readonly onlyKinds?: readonly AlertKind[];
  /** The channel that gets it when this one has not taken it by then, or refuses it for good. */
  readonly fallback?: { readonly channelId: string; readonly afterMinutes: number };
  /** Gets it only as the fallback of another one. */
  readonly isStandby?: boolean;
}

/** What is sealed in a target: the fields of its type for one recipient, without a template. */
export interface AlertAddress {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** Of a webhook. */
  readonly signingSecret?: string;
}

export interface AlertRules {
  /** Words for the account's default channels, and ids of channels. */
  readonly channels: readonly string[];
  /** Where all this led when it was saved; for the time when the database cannot be asked. */
  readonly targets: readonly AlertTarget[];
  readonly onFailure: boolean;
  readonly onRecovery: boolean;
  readonly onDegraded: boolean;
  readonly remindEveryMinutes: number | null;
  /** Key of the policy that failures go by instead; null, or absent in older states: none. */
  readonly policy?: string | null;
}

/** What alerts are decided from, between slots. */
export interface AlertState {
  /** The incident that is open. */
  readonly incident: IncidentRecord | null;
  /** Notifications whose end has not been notified, in the order they were sent; one of a kind. */
  readonly notices: readonly Notice[];
  /** How people answered the open incident; null: nobody has. */
  readonly silence: IncidentSilence | null;
  readonly remindedAtMs: number | null;
  /** A snooze has ended, and nobody has been reminded since. */
  readonly isReminderDue: boolean;
  /** Whether it was degraded when it was last observed. */
  readonly isDegraded: boolean;
  /** When it went down or came back lately. */
  readonly changesMs: readonly number[];
  /** Since when changes are not sent one by one because there are too many. */
  readonly flappingSinceMs: number | null;
  /** When it went down lately; absent in older states. */
  readonly outagesMs?: readonly number[];
  /** What people heard of it while it changes too often; null, or absent in older states: it does not. */
  readonly flapping?: Flapping | null;
  /** The failure that is not sent, since what it depends on is asked or explains it; null: there is none. */
  readonly hold: AlertHold | null;
  /** The open incident has changed since it was last handed to the database. */
  readonly isUnsaved: boolean;
}

/** A failure that waits for what it depends on. */
export interface AlertHold {
  readonly incidentId: string;
  readonly slotMs: number;
  /** null: while they are asked. */
  readonly explainedBy: ExplainedBy | null;
}

/** A notification of trouble, and where it went: its end goes there, too. */
export interface Notice {
  readonly kind: 'degraded' | 'failure';
  readonly sinceMs: number;
  /** Of a failure. */
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
  /** Since when it is as the alert says. */
  readonly sinceMs: number;
  /** When the trouble began that this is the end of, or a part of. */
  readonly openedAtMs: number | null;
  /** As it is now. */
  readonly health: Health;
  /** Of a recovery: the notifications that it is the end of, the last one first. */
  readonly ends: readonly Notice['kind'][];
  readonly cause: IncidentRecord['cause'];
  readonly regions: readonly string[];
  /** What an alert of kind `certificate` is about. */
  readonly certificate: ExpiringCertificate | null;
  /** Of a flapping notice; absent in older alerts. */
  readonly flapping?: FlappingFacts;
  /** true: it flapped, and now stays down. */
  readonly staysDown?: true;
  readonly guidance?: Guidance;
  /** The first assertion that failed. */
  readonly assertion: { readonly [Part in 'text' | 'expected' | 'actual']: string } | null;
  /** What the failing check sent and got; absent: nothing, or it is not known. */
  readonly exchange?: AlertExchange;
  /** What passed last before a failure, from the first region that failed; absent: nothing, or it is not known. */
  readonly lastPassing?: LastPassing;
  /** Set where an alert policy asked for it. */
  readonly escalation?: {
    readonly policyName: string;
    /** From 1. */
    readonly step: number;
    readonly steps: number;
    readonly lastResort: string | null;
    /** recovered: an acknowledgement does not stop the step. */
    readonly until?: 'acknowledged' | 'recovered';
  };
  /** Of a digest: what is folded into it. */
  readonly entries: readonly DigestEntry[];
  /** Of a failure or reminder: what else is down because of it; absent: nothing. */
  readonly explains?: ExplainedOthers;
  /** What an alert of kind `event` is about: it goes to a program, and no incident lists it. */
  readonly event?: AlertEvent;
}

/** A passing result as alerts show it beside the failing one; secrets are masked. */
export interface LastPassing extends Pick<AlertExchange, 'status' | 'body'> {
  readonly atMs: number;
  readonly responseTimeMs: number | null;
}

/** What is down because something else is. */
export interface ExplainedOthers {
  readonly count: number;
  /** The first ones. */
  readonly names: readonly string[];
}

export interface DigestEntry {
  readonly kind: AlertKind;
  readonly resourceName: string;
  readonly incidentId: string | null;
  /** Since when it is so; of a certificate: when it expires. */
  readonly atMs: number;
}

/** Where an alert goes: what is in force when it is sent. */
export type AlertRecipients = Pick<AlertRules, 'channels' | 'targets'>;

export interface AlertInput {
  readonly v: 1;
  readonly alert: AlertMessage;
  readonly recipients: AlertRecipients;
  /** Of an alert that begins again after its workflow was lost: the tries so far. */
  readonly earlier?: EarlierAttempts;
  /** What was decided before its workflow began, so that it is not counted twice; absent: the workflow decides. */
  readonly decided?: 'send' | 'fold';
}

/** By the key of the target. */
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

/** One alert at one place, as it stands. */
export interface DeliveryRecord {
  readonly alert: AlertMessage;
  readonly target: AlertTarget;
  readonly status: DeliveryStatus;
  readonly attempts: readonly DeliveryAttempt[];
  /** Counts up with each save, so that an older state never replaces a newer one. */
  readonly sequence: number;
  /** Those that may step in for the target. */
  readonly standby?: readonly AlertTarget[];
}

/** What one try to deliver came to. */
export type DeliveryOutcome =
  | { readonly kind: 'sent'; readonly detail: string }
  /** Worth another try, not before the wait when it names one. */
  | { readonly kind: 'later'; readonly detail: string; readonly afterMs: number | null }
  /** No further try can help. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** Nobody needs it any more; nothing was sent. */
  | { readonly kind: 'moot'; readonly detail: string };

/** What one try is given. */
export interface DeliveryTry {
  readonly alert: AlertMessage;
  readonly target: AlertTarget;
  /** Earlier tries of it with which the sender was lost; absent: none. */
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
  /** Ids of those alerts that an earlier digest reported; none while the database is away. */
  readonly findReported: (query: {
    readonly accountId: string;
    readonly deliveries: readonly {
      readonly alert: Pick<AlertMessage, 'id' | 'atMs'>;
      readonly target: Pick<AlertTarget, 'key'>;
    }[];
  }) => Promise<readonly string[]>;
  /** Those of the incidents that need no reminder of this kind; none while the database is away. */
  readonly findQuietIncidents: (query: {
    readonly accountId: string;
    readonly incidentIds: readonly string[];
    /** recovered: an acknowledgement does not stop these; absent: it does. */
    readonly until?: 'acknowledged' | 'recovered';
  }) => Promise<readonly string[]>;
}

/** What comes before the sending: short, and asked where the workflows run. */
export interface AlertPreparation {
  /** The places as they are now, or as they were when the rule was saved; notes pending deliveries. */
  readonly findRecipients: (input: AlertInput) => Promise<readonly AlertTarget[]>;
  /** True: send it; false: too many at this moment, fold it into a digest. */
  readonly admitAlert: (alert: AlertMessage) => Promise<boolean>;
}

/** An alert that goes out together with others. */
export interface FoldedAlert {
  readonly alert: AlertMessage;
  readonly targets: readonly AlertTarget[];
  readonly earlier?: EarlierAttempts;
  /** It was folded before, perhaps, and an earlier digest may have reported it. */
  readonly isRepeated?: true;
}
