/** Stores the pings of jobs. Storing a ping is one insert. The workflow evaluates the ping later. */
import type { Model } from 'mongoose';
import type { PingKind } from '../../contracts/heartbeat';
import { createBatcher } from '../../platform/create-batcher';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readAll } from '../store/entities';
import { below, matchAny } from '../store/filters';
import { toRawCollection } from '../store/raw-collection';

export interface StoredPing {
  readonly id: string;
  readonly accountId: string;
  readonly monitorId: string;
  readonly atMs: number;
  readonly kind: PingKind;
  readonly exitCode: number | null;
  /** The run id that the job sent. Empty if it sent none. */
  readonly runId: string;
  readonly failedOn: string | null;
  /** At most 10 KiB, with secrets redacted. null means that the ping had no text. */
  readonly text: string | null;
}

export interface PingStore {
  /** Inserts the ping. Idempotent by id: inserting the same ping again changes nothing. */
  readonly insert: (accountId: string, ping: StoredPing) => Promise<void>;
  /** Lists pings that are not evaluated yet, in order of arrival. */
  readonly listWaiting: (
    accountId: string,
    monitorId: string,
    limit: number,
  ) => Promise<readonly StoredPing[]>;
  /** Marks pings as evaluated. Evaluated pings are kept for several days. */
  readonly noteJudged: (accountId: string, ids: readonly string[]) => Promise<void>;
  /**
   * Lists monitors of all accounts with pings that have been waiting since before the instant. Reads at most `limit`
   * pings, the oldest first.
   */
  readonly listOverdueMonitors: (beforeMs: number, limit: number) => Promise<readonly string[]>;
}

/** Milliseconds for which pings are kept. A ping that is older and not evaluated has no workflow. */
const KEPT_MS = 7 * 86_400_000;

export type PingDocument = Omit<StoredPing, 'id'> & {
  readonly _id: string;
  readonly expiresAtMs: number;
  /** Absent once the ping has been evaluated. */
  readonly isWaiting?: true;
};

export const pingCollection = defineCollection<PingDocument>(
  'pings',
  {
    accountId: String,
    monitorId: String,
    atMs: Number,
    kind: String,
    exitCode: Number,
    runId: String,
    failedOn: String,
    text: String,
    expiresAtMs: Number,
    isWaiting: Boolean,
  },
  {
    indexes: [
      {
        key: { monitorId: 1, atMs: 1, _id: 1 },
        partialFilterExpression: { isWaiting: { $exists: true } },
      },
      { key: { atMs: 1 }, partialFilterExpression: { isWaiting: { $exists: true } } },
      { key: { accountId: 1, monitorId: 1 } },
      { key: { expiresAtMs: 1 } },
    ],
  },
);

/** Maximum number of pings per insert. Each ping may contain 10 KiB of text. */
const INSERTED_AT_ONCE_MAX = 200;

export function createPingStore(pings: Model<PingDocument>): PingStore {
  const waiting = { isWaiting: true as const };
  const insert = createBatcher(
    async (documents: readonly PingDocument[]) => {
      await insertAll(pings, documents);
      return documents.map(() => true);
    },
    { itemsMax: INSERTED_AT_ONCE_MAX },
  );
  return {
    async insert(accountId, { id, ...ping }) {
      const expiresAtMs = ping.atMs + KEPT_MS;
      await insert({ ...ping, ...waiting, accountId, _id: id, expiresAtMs });
    },
    listWaiting: (accountId, monitorId, limit) =>
      readAll(
        pings
          .find({ monitorId, accountId, ...waiting })
          .sort({ atMs: 1, _id: 1 })
          .limit(limit)
          .lean<PingDocument[]>(),
        fromDocument,
      ),
    async noteJudged(accountId, ids) {
      if (ids.length === 0) return;
      await pings.updateMany({ _id: matchAny(ids), accountId }, { $unset: { isWaiting: 1 } });
    },
    async listOverdueMonitors(beforeMs, limit) {
      const found = await pings
        .find({ atMs: below(beforeMs), ...waiting }, { monitorId: 1 })
        .sort({ atMs: 1 })
        .limit(limit)
        .lean<Pick<PingDocument, 'monitorId'>[]>();
      return [...new Set(found.map(({ monitorId }) => monitorId))];
    },
  };
}

/** Inserts the pings. A ping whose id is already stored is a repetition, and is skipped. */
async function insertAll(
  pings: Model<PingDocument>,
  documents: readonly PingDocument[],
): Promise<void> {
  await writeUnlessPresent(() =>
    toRawCollection(pings).insertMany([...documents], { ordered: false }),
  );
}

function fromDocument({ _id, expiresAtMs: _until, isWaiting: _waiting, ...ping }: PingDocument) {
  return {
    ...ping,
    id: _id,
    exitCode: ping.exitCode ?? null,
    failedOn: ping.failedOn ?? null,
    text: ping.text ?? null,
  };
}
