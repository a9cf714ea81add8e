/** The append-only audit trail. Events never change, and are deleted when they are old. */
import type { Model } from 'mongoose';

import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { between } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import { type ListQuery, type Page, readPage } from '../store/pages';
import { writeTogether } from '../store/write-together';

/** The actor who made a change: a person, a key, or the service itself. */
export interface AuditActor {
  readonly type: 'user' | 'api_key' | 'system';
  readonly id: string;
  /** The user's email address or the name of the key, at the time of the change. */
  readonly name: string;
}

/** One change in an account. */
export interface AuditEvent {
  /** `aud_…`. Ids sort by time. */
  readonly id: string;
  readonly accountId: string;
  readonly atMs: number;
  readonly actor: AuditActor;
  /** The action, for example `monitor.update`. */
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string | null;
  /** The changed values before and after the change. null if there is no value. Secrets are masked. */
  readonly before: unknown;
  readonly after: unknown;
  readonly requestId: string;
  /** Source IP address of the request. null for changes by the service itself. */
  readonly ip: string | null;
}

export interface AuditQuery extends ListQuery {
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly fromMs?: number | undefined;
  /** The end of the period, which is exclusive. */
  readonly toMs?: number | undefined;
}

export interface AuditStore {
  /** Adds events. Events that are already stored stay unchanged. */
  readonly add: (accountId: string, events: readonly AuditEvent[]) => Promise<void>;
  /** Returns a page of events, newest first. */
  readonly page: (accountId: string, query: AuditQuery) => Promise<Page<AuditEvent>>;
}

export type AuditDocument = Omit<AuditEvent, 'id' | 'actor' | 'before' | 'after'> & {
  readonly _id: string;
  readonly actorType: AuditEvent['actor']['type'];
  readonly actorId: string;
  readonly actorName: string;
  /** `before` and `after` as JSON text. */
  readonly change: string;
};

/** Milliseconds for which audit events are kept. */
export const AUDIT_KEPT_MS = 400 * 24 * 3_600_000;

export const auditCollection = defineCollection<AuditDocument>(
  'audit',
  {
    accountId: String,
    atMs: Number,
    actorType: String,
    actorId: String,
    actorName: String,
    action: String,
    resourceType: String,
    resourceId: String,
    change: String,
    requestId: String,
    ip: String,
  },
  {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      { key: { accountId: 1, actorId: 1, _id: -1 } },
      { key: { accountId: 1, resourceId: 1, _id: -1 } },
      { key: { atMs: 1 } },
    ],
  },
);

export function createAuditStore(events: Model<AuditDocument>): AuditStore {
  const insert = (documents: readonly AuditDocument[]) =>
    writeUnlessPresent(() => events.insertMany([...documents], { ordered: false }));
  const insertOne = writeTogether<AuditDocument>({
    one: (document) => insert([document]),
    many: insert,
  });
  return {
    async add(accountId, added) {
      const documents = added.map((event) => toDocument({ ...event, accountId }));
      const [only] = documents;
      if (only !== undefined && documents.length === 1) await insertOne(only);
      else await insert(documents);
    },
    page(accountId, { actorId, action, resourceId, fromMs, toMs, ...query }) {
      const filter = {
        accountId,
        ...(actorId === undefined ? {} : { actorId }),
        ...(action === undefined ? {} : { action }),
        ...(resourceId === undefined ? {} : { resourceId }),
        ...(fromMs === undefined && toMs === undefined
          ? {}
          : { atMs: between(fromMs ?? 0, toMs ?? Number.MAX_SAFE_INTEGER) }),
      };
      return readPage(events, filter, { query, fromDocument });
    },
  };
}

interface Change {
  readonly before: unknown;
  readonly after: unknown;
}

function toDocument({ id, actor, before, after, ...event }: AuditEvent): AuditDocument {
  return {
    ...event,
    _id: id,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    change: toJsonText({ before, after }),
  };
}

function fromDocument({
  _id,
  actorType,
  actorId,
  actorName,
  change,
  ...event
}: AuditDocument): AuditEvent {
  const actor = { type: actorType, id: actorId, name: actorName };
  return { ...event, ...fromJsonText<Change>(change), id: _id, actor };
}
