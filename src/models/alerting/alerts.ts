/** Alert deliveries: one document per alert and destination. An older state never replaces a newer one. */
import type { Model } from 'mongoose';
import type { AlertKind } from '../../contracts/alerting/alert-kinds';
import type {
  AlertMessage,
  AlertTarget,
  DeliveryAttempt,
  DeliveryStatus,
} from '../../contracts/alerts';
import { buildUlid, readIdTime } from '../../domain/definitions/ids';
import type { TimeSpan } from '../../domain/health/summary';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { atLeast, below, between, matchAny } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import { type ListQuery, type Page, readPage } from '../store/pages';

export interface AlertQuery extends ListQuery {
  readonly status: Alert['status'] | null;
  /** Selects the alerts of this incident, or of any incident in the array. */
  readonly incidentId: string | readonly string[] | null;
  readonly resourceId: string | null;
  readonly kind?: AlertKind | undefined;
}

export interface AlertStore {
  /** Stores the alert, unless the stored state is as new or newer. */
  readonly save: (accountId: string, alert: Alert) => Promise<void>;
  /** Returns which of the deliveries are recorded as part of a digest. */
  readonly findSuppressed: (
    accountId: string,
    ids: readonly string[],
  ) => Promise<readonly string[]>;
  /** Returns which of the deliveries are recorded. */
  readonly findRecorded: (
    accountId: string,
    ids: readonly string[],
  ) => Promise<ReadonlySet<string>>;
  /** Returns the progress of the digest that contains one of the deliveries. null if none of them is in a digest. */
  readonly readFolding: (accountId: string, ids: readonly string[]) => Promise<Folding | null>;
  /** True if a delivery of the incident waits in a digest that has not been sent. */
  readonly isIncidentFolding: (accountId: string, incidentId: string) => Promise<boolean>;
  /** Counts pending deliveries to the channel, up to `max`. */
  readonly countPending: (accountId: string, channelId: string, max: number) => Promise<number>;
  /** Returns a page of alerts, newest first. */
  readonly page: (accountId: string, query: AlertQuery) => Promise<Page<Alert>>;
  /** Lists the deliveries of alerts raised within the time span, unsorted. Returns only the fields that are counted. */
  readonly listFates: (accountId: string, span: TimeSpan) => Promise<readonly DeliveryFate[]>;
  readonly readChannel: (accountId: string, channelId: string) => Promise<ChannelDeliveries>;
  /** Counts the alerts of all accounts by status, for the operator. */
  readonly countByStatus: () => Promise<
    readonly { readonly status: Alert['status']; readonly count: number }[]
  >;
}

/** The outcome of a delivery. */
export type DeliveryFate = Pick<
  Alert,
  'incidentId' | 'kind' | 'channelId' | 'recipient' | 'status'
> & {
  /** When the alert was raised. */
  readonly atMs: number;
};

/** `begun` means that the alert is part of a digest, or soon will be. `done` means that the digest has been sent. */
export type Folding = 'begun' | 'done';

/** The newest deliveries of a channel. */
export interface ChannelDeliveries {
  /** When an alert was last sent. null means that none of the stored deliveries was sent. */
  readonly lastSentAtMs: number | null;
  /** Deliveries that were not sent and may have failed after the last success, newest first, at most 100. */
  readonly unsent: readonly Pick<Alert, 'attempts'>[];
}

const FATE_FIELDS = {
  incidentId: 1,
  kind: 1,
  channelId: 1,
  recipient: 1,
  status: 1,
} as const;
const FATES_BATCH = 5_000;

const UNSENT: readonly DeliveryStatus[] = ['failed', 'pending'];
const UNSENT_MAX = 100;
/** Maximum time for retries of an alert, in ms. Because of retries, an alert may be sent or fail after newer alerts. */
const TRIED_FOR_MS = 86_400_000;
const SENT_MAX = 20;

/** One alert for one destination. */
export interface Alert {
  /** `alr_…` */
  readonly id: string;
  readonly accountId: string;
  readonly incidentId: string | null;
  readonly resourceId: string;
  readonly kind: AlertKind;
  readonly channelId: string | null;
  readonly channelType: string;
  readonly recipient: string;
  readonly status: DeliveryStatus;
  readonly attempts: readonly DeliveryAttempt[];
  readonly sequence: number;
  readonly createdAtMs: number;
  readonly sentAtMs: number | null;
  readonly certificate: AlertMessage['certificate'];
  /** Set while the alert is pending. Contains everything needed to send the alert if its workflow is lost. */
  readonly pending: PendingDelivery | null;
}

/** An alert and one of its destinations. */
export interface PendingDelivery {
  readonly alert: AlertMessage;
  readonly target: AlertTarget;
  /** The recipients that get the alert if the target does not accept it. */
  readonly standby?: readonly AlertTarget[];
  /** Present if the delivery has no workflow, because it waits in the digest of its account. */
  readonly isFolded?: true;
}

export interface AlertDocument extends Omit<Alert, 'id' | 'pending' | 'certificate'> {
  readonly _id: string;
  /** Alert.certificate as JSON text. */
  readonly certificate?: string | null;
  /** Alert.pending as JSON text. */
  readonly pending?: string | null;
}

export const alertCollection = defineCollection<AlertDocument>(
  'alerts',
  {
    accountId: String,
    incidentId: String,
    resourceId: String,
    kind: String,
    channelId: String,
    channelType: String,
    recipient: String,
    status: String,
    attempts: [{ _id: false, atMs: Number, outcome: String, detail: String }],
    sequence: Number,
    createdAtMs: Number,
    sentAtMs: Number,
    certificate: String,
    pending: String,
  },
  {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      { key: { accountId: 1, incidentId: 1, _id: -1 } },
      { key: { accountId: 1, status: 1, _id: -1 } },
      { key: { accountId: 1, resourceId: 1, _id: -1 } },
      { key: { accountId: 1, channelId: 1, status: 1, _id: -1 } },
      { key: { accountId: 1, resourceId: 1, kind: 1, _id: -1 } },
      { key: { status: 1, _id: 1 }, partialFilterExpression: { status: 'pending' } },
    ],
  },
);

export function createAlertStore(alerts: Model<AlertDocument>): AlertStore {
  return {
    async save(accountId, { id, pending, certificate, ...alert }) {
      const document = {
        ...alert,
        accountId,
        _id: id,
        certificate: certificate === null ? null : toJsonText(certificate),
        pending: pending === null ? null : toJsonText(pending),
      };
      const older = { _id: id, accountId, sequence: below(alert.sequence) };
      await writeUnlessPresent(() => alerts.replaceOne(older, document, { upsert: true }));
    },
    async findSuppressed(accountId, ids) {
      const asked = { _id: matchAny(ids), accountId, status: 'suppressed' as const };
      return (await alerts.find(asked, { _id: 1 }).lean()).map(({ _id }) => _id);
    },
    async readFolding(accountId, ids) {
      const found = await alerts.find({ _id: matchAny(ids), accountId }).lean();
      if (found.some(({ status }) => status === 'suppressed')) return 'done';
      return found.some(isFolding) ? 'begun' : null;
    },
    async isIncidentFolding(accountId, incidentId) {
      const found = await alerts.find({ accountId, incidentId, status: 'pending' }).lean();
      return found.some(isFolding);
    },
    page(accountId, { status, incidentId, resourceId, kind, ...query }) {
      const filter = {
        accountId,
        ...(status === null ? {} : { status }),
        ...(incidentId === null ? {} : { incidentId: matchIds(incidentId) }),
        ...(resourceId === null ? {} : { resourceId }),
        ...(kind === undefined ? {} : { kind }),
      };
      return readPage(alerts, filter, { query, fromDocument: toAlert });
    },
    async findRecorded(accountId, ids) {
      const found = await alerts.find({ _id: matchAny(ids), accountId }, { _id: 1 }).lean();
      return new Set(found.map(({ _id }) => _id));
    },
    countPending: (accountId, channelId, max) =>
      countPending(alerts, { accountId, channelId }, max),
    async listFates(accountId, { fromMs, toMs }) {
      const _id = between(firstIdAt(fromMs), firstIdAt(toMs));
      const found = await alerts
        .find({ accountId, _id }, FATE_FIELDS)
        .batchSize(FATES_BATCH)
        .lean<(Omit<DeliveryFate, 'atMs'> & Pick<AlertDocument, '_id'>)[]>();
      return found.map(({ _id: id, ...fate }) => ({ ...fate, atMs: readIdTime(id) }));
    },
    readChannel: (accountId, channelId) => readChannel(alerts, accountId, channelId),
    async countByStatus() {
      const found = await alerts.aggregate<{ _id: DeliveryStatus; count: number }>([
        { $group: { _id: '$status', count: { $sum: 1 } } },
      ]);
      return found.map(({ _id: status, count }) => ({ status, count }));
    },
  };
}

function countPending(
  alerts: Model<AlertDocument>,
  channel: { readonly accountId: string; readonly channelId: string },
  limit: number,
): Promise<number> {
  return alerts.countDocuments({ ...channel, status: 'pending' }, { limit }).exec();
}

/** Reads the deliveries of a channel. The deliveries are in two short ranges of one index. */
async function readChannel(
  alerts: Model<AlertDocument>,
  accountId: string,
  channelId: string,
): Promise<ChannelDeliveries> {
  const sent = await alerts
    .find({ accountId, channelId, status: 'sent' }, { sentAtMs: 1, createdAtMs: 1 })
    .sort({ _id: -1 })
    .limit(SENT_MAX)
    .lean();
  const [newest] = sent;
  const since =
    newest === undefined ? {} : { _id: atLeast(firstIdAt(newest.createdAtMs - TRIED_FOR_MS)) };
  const unsent = await alerts
    .find({ accountId, channelId, status: matchAny(UNSENT), ...since }, { attempts: 1 })
    .sort({ _id: -1 })
    .limit(UNSENT_MAX)
    .lean();
  const sentAtMs = sent.flatMap((alert) => alert.sentAtMs ?? []);
  return { lastSentAtMs: sentAtMs.length === 0 ? null : Math.max(...sentAtMs), unsent };
}

/** Returns a lower limit of the ids of alerts that were raised at or after the instant. */
function firstIdAt(ms: number): string {
  return `alr_${buildUlid(ms, new Uint8Array(10))}`;
}

function isFolding(document: AlertDocument): boolean {
  return toAlert(document).pending?.isFolded === true;
}

function matchIds(ids: string | readonly string[]): string | { $in: string[] } {
  if (typeof ids === 'string') return ids;
  const [first] = ids;
  return ids.length === 1 && first !== undefined ? first : matchAny(ids);
}

/** Converts a document. Old documents lack newer fields. */
export function toAlert(document: AlertDocument): Alert {
  const { _id, pending = null, certificate = null, ...alert } = document;
  return {
    ...alert,
    id: _id,
    certificate: certificate === null ? null : fromJsonText(certificate),
    pending: pending === null ? null : fromJsonText(pending),
  };
}
