/** Status pages of accounts: which names outsiders may see. It holds no state of anything. */
import type { Model } from 'mongoose';
import type { StatusPageTheme } from '../../contracts/status-page-themes';
import { AppError } from '../../platform/errors';
import { keyField, refuseTakenKey, type Stored, uniqueKeyIndex } from '../resources/resources';
import { isDuplicateOf } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import type { ListQuery, Page } from '../store/list-query';
import { readPage } from '../store/pages';

export interface StatusPageItem {
  /** Of a monitor or scenario of the account; it may be gone by now. */
  readonly id: string;
  /** What outsiders read, whatever it is called inside. */
  readonly name: string;
}

interface StatusPageGroup {
  readonly name: string;
  readonly items: readonly StatusPageItem[];
}

export interface StatusPage {
  /** `stp_…` */
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  /** What apply goes by; unique in the account. */
  readonly key: string | null;
  /** The set under which apply made it. */
  readonly managedBy?: string;
  /** Unique over all accounts. */
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  /** False: nobody outside sees anything of it. */
  readonly isPublic: boolean;
  readonly groups: readonly StatusPageGroup[];
  readonly showBadges: boolean;
  /** A data URL. */
  readonly logo: string | null;
  /** `#rrggbb` */
  readonly accent: string | null;
  readonly theme: StatusPageTheme;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface StatusPageStore {
  /** Throws AppError `key_taken` for a slug of whatever account's page, or a key of the account's. */
  readonly create: (accountId: string, row: StatusPage) => Promise<void>;
  readonly find: (accountId: string, id: string) => Promise<StatusPage | null>;
  /** For outsiders: the only look-up that does not know the account. */
  readonly findPublic: (slug: string) => Promise<StatusPage | null>;
  /** For members: public or not. */
  readonly findBySlug: (accountId: string, slug: string) => Promise<StatusPage | null>;
  /** Newest first. */
  readonly list: (accountId: string, query: ListQuery) => Promise<Page<StatusPage>>;
  readonly count: (accountId: string) => Promise<number>;
  /** Replaces the row when its stored version is still `expectedVersion`; false otherwise. */
  readonly replace: (
    accountId: string,
    row: StatusPage,
    expectedVersion: number,
  ) => Promise<boolean>;
  /** Removes it when the stored version is still `expectedVersion`; false when it is not, or gone. */
  readonly remove: (accountId: string, id: string, expectedVersion: number) => Promise<boolean>;
}

type Look = 'logo' | 'accent' | 'theme';

/** Pages that were stored before they had a look have none. */
export type StatusPageDocument = Omit<Stored<StatusPage>, Look> & Partial<Pick<StatusPage, Look>>;

export const statusPageCollection = defineCollection<StatusPageDocument>(
  'statusPages',
  {
    accountId: String,
    version: Number,
    key: String,
    managedBy: String,
    slug: String,
    title: String,
    description: String,
    isPublic: Boolean,
    groups: [{ _id: false, name: String, items: [{ _id: false, id: String, name: String }] }],
    showBadges: Boolean,
    logo: String,
    accent: String,
    theme: String,
    createdAtMs: Number,
    updatedAtMs: Number,
  },
  {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      { key: { slug: 1 }, unique: true },
      uniqueKeyIndex,
    ],
  },
);

export function createStatusPageStore(pages: Model<StatusPageDocument>): StatusPageStore {
  return {
    async create(accountId, row) {
      await refuseTaken(() => pages.create([toDocument({ ...row, accountId })]));
    },
    async find(accountId, id) {
      const found = await pages.findOne({ _id: id, accountId }).lean<StatusPageDocument>();
      return found === null ? null : toRow(found);
    },
    async findPublic(slug) {
      const found = await pages.findOne({ slug, isPublic: true }).lean<StatusPageDocument>();
      return found === null ? null : toRow(found);
    },
    async findBySlug(accountId, slug) {
      const found = await pages.findOne({ slug, accountId }).lean<StatusPageDocument>();
      return found === null ? null : toRow(found);
    },
    list: (accountId, query) => readPage(pages, { accountId }, { query, toRow }),
    count: (accountId) => pages.countDocuments({ accountId }),
    async replace(accountId, row, expectedVersion) {
      const document = toDocument({ ...row, accountId });
      const outcome = await refuseTaken(() =>
        pages.replaceOne({ _id: row.id, accountId, version: expectedVersion }, document),
      );
      return outcome.matchedCount === 1;
    },
    async remove(accountId, id, version) {
      return (await pages.deleteOne({ _id: id, accountId, version })).deletedCount === 1;
    },
  };
}

async function refuseTaken<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await refuseTakenKey(write);
  } catch (error) {
    if (!isDuplicateOf(error, 'slug')) throw error;
    throw new AppError('key_taken', 'Another status page has this slug.', { cause: error });
  }
}

function toDocument({ id, key, ...row }: StatusPage): StatusPageDocument {
  return { ...row, ...keyField(key), _id: id };
}

function toRow({ _id, key, ...row }: StatusPageDocument): StatusPage {
  const { logo = null, accent = null, theme = 'auto' } = row;
  return { ...row, logo, accent, theme, id: _id, key: key ?? null };
}
