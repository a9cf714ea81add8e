/** Invitations that are open. The token of the link never gets here. */
import type { Model } from 'mongoose';
import type { InvitationRow } from '../../services/ports/account-rows';
import type { InvitationStore } from '../../services/ports/account-store';
import { defineCollection } from '../store/define-schema';
import { above, below } from '../store/filters';
import { cutPage } from '../store/pages';

export type InvitationDocument = Omit<InvitationRow, 'id'> & { readonly _id: string };

export const invitationCollection = defineCollection<InvitationDocument>(
  'invitations',
  {
    accountId: String,
    email: String,
    role: String,
    hash: String,
    createdBy: String,
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
    },
    async find(accountId, id) {
      const found = await invitations.findOne({ _id: id, accountId }).lean();
      return found === null ? null : toRow(found);
    },
    async findByHash(hash) {
      const found = await invitations.findOne({ hash }).lean();
      return found === null ? null : toRow(found);
    },
    async list(accountId, { limit, beforeId, nowMs }) {
      const before = beforeId === null ? {} : { _id: below(beforeId) };
      const found = await invitations
        .find({ accountId, ...before, expiresAtMs: above(nowMs) })
        .sort({ _id: -1 })
        .limit(limit + 1)
        .lean();
      return cutPage(found.map(toRow), limit);
    },
    async count(accountId, nowMs) {
      return invitations.countDocuments({ accountId, expiresAtMs: above(nowMs) });
    },
    async removeAllOf(accountId, userId) {
      await invitations.deleteMany({ accountId, createdBy: userId });
    },
    async remove(accountId, id) {
      return (await invitations.deleteOne({ _id: id, accountId })).deletedCount === 1;
    },
  };
}

function toRow({ _id, ...invitation }: InvitationDocument): InvitationRow {
  return { ...invitation, id: _id };
}
