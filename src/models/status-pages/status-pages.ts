/** Status pages of accounts: which names outsiders may see. It holds no state of anything. */
import type { Model } from 'mongoose';
import {
  PLAIN_POST_SETTINGS,
  type PostSettings,
  type StatusPageTheme,
} from '../../contracts/status-pages';
import { AppError } from '../../platform/errors';
import { isDuplicateOf } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { oneOf } from '../store/filters';
import {
  createVersionedStore,
  keyField,
  refuseTakenKey,
  type Stored,
  uniqueKeyIndex,
  type VersionedStore,
} from '../store/versioned-store';

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
  readonly posts: PostSettings;
  /** Key of the hours in which availability counts. */
  readonly hours: string | null;
  /** It shows what became of the account's own checks. */
  readonly showLedger: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Throws `key_taken` also for a slug of whatever account's page. */
export interface StatusPageStore extends VersionedStore<StatusPage> {
  /** For outsiders: the only look-up that does not know the account. */
  readonly findPublic: (slug: string) => Promise<StatusPage | null>;
  /** Over all accounts, for the housekeeping: those on which incidents make drafts, or maintenance makes posts. */
  readonly listPosting: (by: 'drafts' | 'maintenance') => Promise<readonly StatusPage[]>;
  /** Over all accounts: which of these ids are pages. */
  readonly findIds: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** For members: public or not. */
  readonly findBySlug: (accountId: string, slug: string) => Promise<StatusPage | null>;
}

type Later = 'logo' | 'accent' | 'theme' | 'posts' | 'hours' | 'showLedger';

/** Pages that were stored before they had a look or posts have none. */
export type StatusPageDocument = Omit<Stored<StatusPage>, Later> & Partial<Pick<StatusPage, Later>>;

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
    hours: String,
    showLedger: Boolean,
    posts: {
      type: {
        _id: false,
        drafts: Boolean,
        autoPublishAfterMinutes: Number,
        maintenance: Boolean,
        templates: [{ _id: false, name: String, use: String, title: String, text: String }],
      },
      default: undefined,
    },
    createdAtMs: Number,
    updatedAtMs: Number,
  },
  {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      { key: { slug: 1 }, unique: true },
      { key: { 'posts.drafts': 1 }, partialFilterExpression: { 'posts.drafts': true } },
      { key: { 'posts.maintenance': 1 }, partialFilterExpression: { 'posts.maintenance': true } },
      uniqueKeyIndex,
    ],
  },
);

export function createStatusPageStore(pages: Model<StatusPageDocument>): StatusPageStore {
  return {
    ...createVersionedStore({ model: pages, toDocument, fromDocument, refuseTaken }),
    async findPublic(slug) {
      const found = await pages.findOne({ slug, isPublic: true }).lean<StatusPageDocument>();
      return found === null ? null : fromDocument(found);
    },
    async listPosting(by) {
      const wanted = by === 'drafts' ? { 'posts.drafts': true } : { 'posts.maintenance': true };
      const found = await pages.find(wanted).lean<StatusPageDocument[]>();
      return found.map(fromDocument);
    },
    async findIds(ids) {
      const found = await pages.find({ _id: oneOf(ids) }, { _id: 1 }).lean<{ _id: string }[]>();
      return new Set(found.map(({ _id }) => _id));
    },
    async findBySlug(accountId, slug) {
      const found = await pages.findOne({ slug, accountId }).lean<StatusPageDocument>();
      return found === null ? null : fromDocument(found);
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

function toDocument({ id, key, ...page }: StatusPage): StatusPageDocument {
  return { ...page, ...keyField(key), _id: id };
}

function fromDocument({ _id, key, ...page }: StatusPageDocument): StatusPage {
  const { logo = null, accent = null, theme = 'auto', posts = PLAIN_POST_SETTINGS } = page;
  const { hours = null, showLedger = false } = page;
  const later = { logo, accent, theme, posts, hours, showLedger };
  return { ...page, ...later, id: _id, key: key ?? null };
}
