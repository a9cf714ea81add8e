/** Saved views of the list of checks. */
import type { Model } from 'mongoose';
import type { CheckList, CheckListQuery } from '../../contracts/check-list';
import { defineCollection } from '../store/define-schema';
import { readOne } from '../store/entities';
import { fromJsonText, toJsonText } from '../store/json-text';
import { type ListQuery, type Page, readPage } from '../store/pages';
import { createVersionedStore, type VersionedStore } from '../store/versioned-store';

export interface SavedView {
  /** `viw_…` */
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  readonly name: string;
  readonly list: CheckList;
  readonly query: CheckListQuery;
  /** False means that only the user who created the view sees it. */
  readonly isShared: boolean;
  /** The user who created the view. null if unknown, which is possible only for shared views. */
  readonly createdBy: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The reader of views. A user sees shared views and their own views. A key sees only shared views. */
export interface ViewReader {
  readonly accountId: string;
  readonly personId: string | null;
}

export interface SavedViewStore
  extends Pick<VersionedStore<SavedView>, 'create' | 'count' | 'replace' | 'remove'> {
  readonly find: (reader: ViewReader, id: string) => Promise<SavedView | null>;
  /** Lists views, newest first. */
  readonly list: (reader: ViewReader, query: ListQuery) => Promise<Page<SavedView>>;
  /** Removes the user's private views and keeps the shared ones. */
  readonly removeForPerson: (accountId: string, personId: string) => Promise<void>;
}

export type SavedViewDocument = Omit<SavedView, 'id' | 'query'> & {
  readonly _id: string;
  /** SavedView.query as JSON text. */
  readonly query: string;
};

export const savedViewCollection = defineCollection<SavedViewDocument>(
  'savedViews',
  {
    accountId: String,
    version: Number,
    name: String,
    list: String,
    query: String,
    isShared: Boolean,
    createdBy: String,
    createdAtMs: Number,
    updatedAtMs: Number,
  },
  { indexes: [{ key: { accountId: 1, _id: -1 } }] },
);

export function createSavedViewStore(views: Model<SavedViewDocument>): SavedViewStore {
  return {
    ...createVersionedStore({ model: views, toDocument, fromDocument }),
    find: (reader, id) =>
      readOne(views.findOne({ _id: id, ...visibleTo(reader) }).lean(), fromDocument),
    list: (reader, query) => readPage(views, visibleTo(reader), { query, fromDocument }),
    async removeForPerson(accountId, personId) {
      await views.deleteMany({ accountId, createdBy: personId, isShared: false });
    },
  };
}

function visibleTo({ accountId, personId }: ViewReader) {
  if (personId === null) return { accountId, isShared: true };
  return { accountId, $or: [{ isShared: true }, { createdBy: personId }] };
}

function toDocument({ id, query, ...view }: SavedView): SavedViewDocument {
  return { ...view, _id: id, query: toJsonText(query) };
}

function fromDocument({ _id, query, ...view }: SavedViewDocument): SavedView {
  return { ...view, id: _id, query: fromJsonText(query) };
}
