/** Open invitations. The token of an invitation's link is never stored. */
import type { Model } from 'mongoose';
import type { MemberRole } from '../../domain/accounts/roles';
import { defineCollection } from '../store/define-schema';
import { readOne, toEntity } from '../store/entities';
import { above, below } from '../store/filters';
import { type ListQuery, type Page, readPage } from '../store/pages';

/** An invitation that has not been accepted yet. */
export interface Invitation {
  /** `inv_…` */
  readonly id: string;
  readonly accountId: string;
  /** The email address in lower case. */
  readonly email: string;
  readonly role: MemberRole;
  /** SHA-256 of the token in the link, in hex. */
  readonly hash: string;
  /**
   * The user who created the invitation or last changed its role, directly or through a key. The invitation is removed
   * together with the user.
   */
  readonly createdBy?: string | null;
  /** The id that the member will have. If absent, the member gets a new id. */
  readonly memberId?: string;
  /** True means that the link was sent only to the mailbox. Its use therefore confirms the email address. */
  readonly isMailed?: boolean;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export interface InvitationStore {
  /** Replaces the account's older invitation to the same email address, if there is one. */
  readonly create: (accountId: string, invitation: Invitation) => Promise<void>;
  readonly find: (accountId: string, id: string) => Promise<Invitation | null>;
  /** Finds an invitation by the hash of its token. This is the only look-up that needs no account id. */
  readonly findByHash: (hash: string) => Promise<Invitation | null>;
  /** Returns the account's open invitation to the email address, if there is one. */
  readonly findByEmail: (
    accountId: string,
    email: string,
    nowMs: number,
  ) => Promise<Invitation | null>;
  /** Returns the account's open invitation that gives this id to the member. */
  readonly findByMember: (
    accountId: string,
    memberId: string,
    nowMs: number,
  ) => Promise<Invitation | null>;
  readonly setMailed: (accountId: string, id: string) => Promise<void>;
  /**
   * Changes the role. From then on, the invitation belongs to the user who changed it. Resolves to true if the
   * invitation exists.
   */
  readonly setRole: (
    accountId: string,
    id: string,
    given: { readonly role: MemberRole; readonly createdBy: string | null },
  ) => Promise<boolean>;
  /** Lists the invitations, newest first, without expired ones. */
  readonly list: (
    accountId: string,
    query: ListQuery & { readonly nowMs: number },
  ) => Promise<Page<Invitation>>;
  /** Counts the open invitations. */
  readonly count: (accountId: string, nowMs: number) => Promise<number>;
  /** Removes all invitations that a user created or last changed, directly or through keys. */
  readonly removeForUser: (accountId: string, userId: string) => Promise<void>;
  /**
   * Removes the invitation. If a role is given, the invitation must have this role. Resolves to true if the invitation
   * was removed.
   */
  readonly remove: (accountId: string, id: string, role?: MemberRole) => Promise<boolean>;
}

export type InvitationDocument = Omit<Invitation, 'id'> & { readonly _id: string };

export const invitationCollection = defineCollection<InvitationDocument>(
  'invitations',
  {
    accountId: String,
    email: String,
    role: String,
    hash: String,
    createdBy: String,
    memberId: String,
    isMailed: Boolean,
    createdAtMs: Number,
    expiresAtMs: Number,
  },
  {
    indexes: [
      { key: { hash: 1 }, unique: true },
      { key: { accountId: 1, _id: -1 } },
      { key: { expiresAtMs: 1 } },
    ],
  },
);

export function createInvitationStore(invitations: Model<InvitationDocument>): InvitationStore {
  return {
    async create(accountId, { id, ...invitation }) {
      await invitations.deleteMany({ accountId, email: invitation.email });
      await invitations.create([{ ...invitation, _id: id, accountId }]);
      // If several invitations were created in parallel, only the newest invitation remains.
      const same = { accountId, email: invitation.email };
      const newest = await invitations.findOne(same, { _id: 1 }).sort({ _id: -1 }).lean();
      await invitations.deleteMany({ ...same, _id: below(newest?._id ?? id) });
    },
    find: (accountId, id) => readOne(invitations.findOne({ _id: id, accountId }).lean(), toEntity),
    findByHash: (hash) => readOne(invitations.findOne({ hash }).lean(), toEntity),
    findByEmail: (accountId, email, nowMs) =>
      readOne(
        invitations.findOne({ accountId, email, expiresAtMs: above(nowMs) }).lean(),
        toEntity,
      ),
    findByMember: (accountId, memberId, nowMs) =>
      readOne(
        invitations.findOne({ accountId, memberId, expiresAtMs: above(nowMs) }).lean(),
        toEntity,
      ),
    async setMailed(accountId, id) {
      await invitations.updateOne({ _id: id, accountId }, { $set: { isMailed: true } });
    },
    async setRole(accountId, id, { role, createdBy }) {
      const change = { $set: { role, createdBy } };
      return (await invitations.updateOne({ _id: id, accountId }, change)).matchedCount === 1;
    },
    list: (accountId, { nowMs, ...query }) =>
      readPage(
        invitations,
        { accountId, expiresAtMs: above(nowMs) },
        { query, fromDocument: toEntity },
      ),
    async count(accountId, nowMs) {
      return invitations.countDocuments({ accountId, expiresAtMs: above(nowMs) });
    },
    async removeForUser(accountId, userId) {
      await invitations.deleteMany({ accountId, createdBy: userId });
    },
    async remove(accountId, id, role) {
      const filter = { _id: id, accountId, ...(role !== undefined && { role }) };
      return (await invitations.deleteOne(filter)).deletedCount === 1;
    },
  };
}
