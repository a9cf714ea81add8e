/** Rights to set a password by a link. The token of the link never gets here. */
import type { Model } from 'mongoose';
import type { PasswordTokenRow } from '../../services/ports/account-rows';
import type { PasswordTokenStore } from '../../services/ports/account-store';
import { defineCollection } from '../store/define-schema';

export type PasswordTokenDocument = Omit<PasswordTokenRow, 'hash'> & { readonly _id: string };

export const passwordTokenCollection = defineCollection<PasswordTokenDocument>(
  'passwordTokens',
  { accountId: String, userId: String, createdAtMs: Number, expiresAtMs: Number },
  { indexes: [{ key: { accountId: 1, userId: 1, createdAtMs: -1 } }, { key: { expiresAtMs: 1 } }] },
);

export function createPasswordTokenStore(tokens: Model<PasswordTokenDocument>): PasswordTokenStore {
  return {
    async create(accountId, { hash, ...token }) {
      await tokens.create([{ ...token, _id: hash, accountId }]);
    },
    async findByHash(hash) {
      const found = await tokens.findOne({ _id: hash }).lean();
      return found === null ? null : toRow(found);
    },
    async findLatest(accountId, userId) {
      const found = await tokens.findOne({ accountId, userId }).sort({ createdAtMs: -1 }).lean();
      return found === null ? null : toRow(found);
    },
    async consume(accountId, hash) {
      return (await tokens.deleteOne({ _id: hash, accountId })).deletedCount === 1;
    },
    async removeAllOf(accountId, userId) {
      await tokens.deleteMany({ accountId, userId });
    },
  };
}

function toRow({ _id, ...token }: PasswordTokenDocument): PasswordTokenRow {
  return { ...token, hash: _id };
}
