/** Sessions of people, found by the hash of the session id. The id itself is never stored. */
import type { Model } from 'mongoose';
import type { SessionChoice } from '../../domain/accounts/session-rules';
import { defineCollection } from '../store/define-schema';
import { below, except } from '../store/filters';

/** The client that opened a session. */
export interface SessionOrigin {
  /** The client's IP address, as trusted proxies report it. Empty if it is unknown. */
  readonly address: string;
  /** The User-Agent header, shortened. */
  readonly userAgent: string | null;
}

/** A session. Its origin is absent in sessions of earlier releases. */
export interface Session extends Partial<SessionOrigin>, SessionChoice {
  /** SHA-256 of the opaque session id, in hex. */
  readonly hash: string;
  readonly personId: string;
  /** The account that the person uses in this session. `userId` is the person's membership in this account. */
  readonly accountId: string;
  readonly userId: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
  /** When the person last proved their identity in this session. Absent in sessions of earlier releases. */
  readonly provedAtMs?: number;
  /** When the person last proved a second factor. Absent if they have not in this session. */
  readonly secondFactorAtMs?: number;
  /** The issuer of the identity that opened the session. Absent for other ways of signing in. */
  readonly issuer?: string;
  /** The id of the session at the identity provider (`sid`). */
  readonly providerSession?: string;
  /**
   * The account that owns the identity provider of the sign-in. The proofs of the session count only in this account.
   * If absent, they count in all accounts.
   */
  readonly boundTo?: string;
}

/**
 * The proofs that the person has given in a session, and the choice to stay signed in. If a new session replaces the
 * session, the new session keeps them.
 */
export type SessionProofs = Pick<
  Session,
  'provedAtMs' | 'secondFactorAtMs' | 'issuer' | 'providerSession' | 'boundTo' | 'staySignedIn'
>;

export interface SessionStore {
  readonly create: (session: Session) => Promise<void>;
  readonly findByHash: (hash: string) => Promise<Session | null>;
  readonly touch: (personId: string, hash: string, atMs: number) => Promise<void>;
  /** Lists the person's sessions in all accounts, newest first, including expired ones. */
  readonly listForPerson: (personId: string) => Promise<readonly Session[]>;
  /** Removes the session. Resolves to true for only one of several parallel callers. */
  readonly remove: (personId: string, hash: string) => Promise<boolean>;
  /** Removes all other sessions of the person. */
  readonly removeOthers: (personId: string, hash: string) => Promise<void>;
  readonly removeForPerson: (personId: string) => Promise<void>;
  /** Records that the person has proved their identity, and possibly a second factor. */
  readonly prove: (
    hash: string,
    proofs: Pick<SessionProofs, 'provedAtMs' | 'secondFactorAtMs'>,
  ) => Promise<void>;
  /**
   * Lists the sessions that an identity provider opened. `of` limits the list to a person, to a session of the
   * provider, or to both.
   */
  readonly listOfProvider: (
    issuer: string,
    of: { readonly personId?: string; readonly providerSession?: string },
  ) => Promise<readonly Session[]>;
  /** Removes the member's sessions in this account. */
  readonly removeAllIn: (accountId: string, userId: string) => Promise<void>;
}

const TOUCH_EVERY_MS = 60_000;
/** Maximum number of sessions that are read. A person may have far fewer sessions. */
const LISTED_MAX = 200;

export type SessionDocument = Omit<Session, 'hash'> & { readonly _id: string };

export const sessionCollection = defineCollection<SessionDocument>(
  'sessions',
  {
    personId: String,
    accountId: String,
    userId: String,
    createdAtMs: Number,
    lastSeenAtMs: Number,
    address: String,
    userAgent: String,
    provedAtMs: Number,
    secondFactorAtMs: Number,
    issuer: String,
    providerSession: String,
    boundTo: String,
    staySignedIn: Boolean,
  },
  {
    indexes: [
      { key: { personId: 1 } },
      { key: { accountId: 1, userId: 1 } },
      { key: { createdAtMs: 1 } },
      {
        key: { providerSession: 1 },
        partialFilterExpression: { providerSession: { $exists: true } },
      },
    ],
  },
);

/** Creates the store. The use of a session is written at most once a minute. */
export function createSessionStore(sessions: Model<SessionDocument>): SessionStore {
  return {
    async create({ hash, ...session }) {
      await sessions.create([{ ...session, _id: hash }]);
    },
    async findByHash(hash) {
      const found = await sessions.findOne({ _id: hash }).lean();
      if (found === null) return null;
      const { _id, ...session } = found;
      return { hash: _id, ...session };
    },
    async touch(personId, hash, atMs) {
      await sessions.updateOne(
        { _id: hash, personId, lastSeenAtMs: below(atMs - TOUCH_EVERY_MS) },
        { $set: { lastSeenAtMs: atMs } },
      );
    },
    async listForPerson(personId) {
      const found = await sessions
        .find({ personId })
        .sort({ createdAtMs: -1, _id: -1 })
        .limit(LISTED_MAX)
        .lean();
      return found.map(({ _id, ...session }) => ({ hash: _id, ...session }));
    },
    async remove(personId, hash) {
      return (await sessions.deleteOne({ _id: hash, personId })).deletedCount === 1;
    },
    async removeOthers(personId, hash) {
      await sessions.deleteMany({ personId, _id: except(hash) });
    },
    async removeForPerson(personId) {
      await sessions.deleteMany({ personId });
    },
    async prove(hash, proofs) {
      await sessions.updateOne({ _id: hash }, { $set: proofs });
    },
    async listOfProvider(issuer, of) {
      const found = await sessions
        .find({ issuer, ...of })
        .limit(LISTED_MAX)
        .lean();
      return found.map(({ _id, ...session }) => ({ hash: _id, ...session }));
    },
    async removeAllIn(accountId, userId) {
      await sessions.deleteMany({ accountId, userId });
    },
  };
}
