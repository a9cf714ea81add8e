/** Users' sessions, found by the hash of the session id. The id itself is never stored. */
import type { Model } from 'mongoose';

import { defineCollection } from '../store/define-schema';
import { below } from '../store/filters';

/** Where a session was opened from. */
export interface SessionOrigin {
  /** The client's IP address, as far as trusted proxies report it. Empty if it is unknown. */
  readonly address: string;
  /** The User-Agent header, shortened. */
  readonly userAgent: string | null;
}

/** Sessions that were opened before it was stored have no origin. */
export interface Session extends Partial<SessionOrigin> {
  /** SHA-256 of the opaque session id, in hex. */
  readonly hash: string;
  readonly accountId: string;
  readonly userId: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
}

export interface SessionStore {
  readonly create: (accountId: string, session: Session) => Promise<void>;
  readonly findByHash: (hash: string) => Promise<Session | null>;
  readonly touch: (accountId: string, hash: string, atMs: number) => Promise<void>;
  /** Newest first, including expired sessions. */
  readonly listOf: (accountId: string, userId: string) => Promise<readonly Session[]>;
  readonly remove: (accountId: string, hash: string) => Promise<void>;
  readonly removeAllOf: (accountId: string, userId: string) => Promise<void>;
}

const TOUCH_EVERY_MS = 60_000;
/** Far above the number of sessions that a user may have. */
const LISTED_MAX = 200;

export type SessionDocument = Omit<Session, 'hash'> & { readonly _id: string };

export const sessionCollection = defineCollection<SessionDocument>(
  'sessions',
  {
    accountId: String,
    userId: String,
    createdAtMs: Number,
    lastSeenAtMs: Number,
    address: String,
    userAgent: String,
  },
  { indexes: [{ key: { accountId: 1, userId: 1 } }, { key: { createdAtMs: 1 } }] },
);

/** Recording a use writes at most once per session and minute. */
export function createSessionStore(sessions: Model<SessionDocument>): SessionStore {
  return {
    async create(accountId, { hash, ...session }) {
      await sessions.create([{ ...session, _id: hash, accountId }]);
    },
    async findByHash(hash) {
      const found = await sessions.findOne({ _id: hash }).lean();
      if (found === null) return null;
      const { _id, ...session } = found;
      return { hash: _id, ...session };
    },
    async touch(accountId, hash, atMs) {
      await sessions.updateOne(
        { _id: hash, accountId, lastSeenAtMs: below(atMs - TOUCH_EVERY_MS) },
        { $set: { lastSeenAtMs: atMs } },
      );
    },
    async listOf(accountId, userId) {
      const found = await sessions
        .find({ accountId, userId })
        .sort({ createdAtMs: -1, _id: -1 })
        .limit(LISTED_MAX)
        .lean();
      return found.map(({ _id, ...session }) => ({ hash: _id, ...session }));
    },
    async remove(accountId, hash) {
      await sessions.deleteOne({ _id: hash, accountId });
    },
    async removeAllOf(accountId, userId) {
      await sessions.deleteMany({ accountId, userId });
    },
  };
}
