/** Status pages of accounts: which names outsiders may see. It stores no health of any resource. */
import type { Model } from 'mongoose';
import type { SubscriberSettings } from '../../contracts/letters/letters';
import {
  PAGE_DEFAULTS,
  type PostSettings,
  type StatusPageAccess,
  type StatusPageLanguage,
  type StatusPageTheme,
} from '../../contracts/status-pages';
import type { PageDomain } from '../../domain/status-pages/page-domain';
import { AppError } from '../../platform/errors';
import { isDuplicateOf } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { atMost, oneOf } from '../store/filters';
import {
  createVersionedStore,
  keyField,
  refuseTakenKey,
  type Stored,
  uniqueKeyIndex,
  type VersionedStore,
} from '../store/versioned-store';

export interface StatusPageItem {
  /** Id of a monitor or scenario of the account, which may have been deleted. */
  readonly id: string;
  /** The public name, independent of the resource's own name. */
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
  /** Identifies the page for apply; unique in the account. */
  readonly key: string | null;
  /** The set under which apply created it. */
  readonly managedBy?: string;
  /** Unique over all accounts. */
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  /** False: outsiders see nothing of the page. */
  readonly isPublic: boolean;
  readonly access: StatusPageAccess;
  /** Each domain belongs to at most one page over all accounts. */
  readonly domains: readonly PageDomain[];
  readonly groups: readonly StatusPageGroup[];
  readonly showBadges: boolean;
  /** A data URL. */
  readonly logo: string | null;
  /** `#rrggbb` */
  readonly accent: string | null;
  readonly theme: StatusPageTheme;
  readonly language: StatusPageLanguage;
  /** True: outsiders see response times of the last 24 hours. */
  readonly showResponseTimes: boolean;
  readonly posts: PostSettings;
  readonly subscribers: SubscriberSettings;
  /** Key of the hours during which availability counts. */
  readonly hours: string | null;
  /** True: the page shows what became of the account's own checks. */
  readonly showLedger: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Also throws `key_taken` when a page of any account has the slug. */
export interface StatusPageStore extends VersionedStore<StatusPage> {
  /** For outsiders, by slug alone: the account is not known. */
  readonly findPublic: (slug: string) => Promise<StatusPage | null>;
  /** Over all accounts, for the housekeeping: pages on which incidents create drafts, or maintenance creates posts. */
  readonly listPosting: (by: 'drafts' | 'maintenance') => Promise<readonly StatusPage[]>;
  /** Over all accounts; also finds a page by a domain that is not verified. */
  readonly findByDomain: (host: string) => Promise<StatusPage | null>;
  /** Over all accounts: pages with a domain that is due for verification. */
  readonly listWithDueDomains: (nowMs: number, max: number) => Promise<readonly StatusPage[]>;
  /** Does not change the version; false when the page has changed since it was read. */
  readonly storeDomains: (
    page: Pick<StatusPage, 'id' | 'accountId' | 'version'>,
    domains: readonly PageDomain[],
  ) => Promise<boolean>;
  /** Over all accounts: the ids that belong to existing pages. */
  readonly findIds: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** For members: finds pages that are not public, too. */
  readonly findBySlug: (accountId: string, slug: string) => Promise<StatusPage | null>;
}

/** Fields that are missing from pages stored before these fields existed. */
type Later =
  | 'access'
  | 'domains'
  | 'logo'
  | 'accent'
  | 'theme'
  | 'posts'
  | 'language'
  | 'showResponseTimes'
  | 'subscribers'
  | 'hours'
  | 'showLedger';

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
    access: {
      type: { type: String },
      passwordHash: String,
      ranges: { type: [String], default: undefined },
    },
    domains: {
      type: [
        {
          _id: false,
          host: String,
          claimedAtMs: Number,
          verifiedAtMs: Number,
          nextCheckAtMs: Number,
          problem: String,
        },
      ],
      default: undefined,
    },
    groups: [{ _id: false, name: String, items: [{ _id: false, id: String, name: String }] }],
    showBadges: Boolean,
    logo: String,
    accent: String,
    theme: String,
    language: String,
    showResponseTimes: Boolean,
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
    subscribers: {
      type: { _id: false, mail: Boolean, webhook: Boolean, slack: Boolean },
      default: undefined,
    },
    createdAtMs: Number,
    updatedAtMs: Number,
  },
  {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      { key: { slug: 1 }, unique: true },
      {
        key: { 'domains.host': 1 },
        unique: true,
        partialFilterExpression: { 'domains.host': { $exists: true } },
      },
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
    async findByDomain(host) {
      const found = await pages.findOne({ 'domains.host': host }).lean<StatusPageDocument>();
      return found === null ? null : fromDocument(found);
    },
    async listWithDueDomains(nowMs, max) {
      const found = await pages
        .find({ 'domains.nextCheckAtMs': atMost(nowMs) })
        .sort({ 'domains.nextCheckAtMs': 1 })
        .limit(max)
        .lean<StatusPageDocument[]>();
      return found.map(fromDocument);
    },
    async storeDomains({ id, accountId, version }, domains) {
      const stored = await pages.updateOne({ _id: id, accountId, version }, { $set: { domains } });
      return stored.matchedCount === 1;
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

const TAKEN = [
  { field: 'slug', message: 'Another status page has this slug.' },
  { field: 'domains.host', message: 'Another status page has one of these domains.' },
] as const;

async function refuseTaken<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await refuseTakenKey(write);
  } catch (error) {
    const taken = TAKEN.find(({ field }) => isDuplicateOf(error, field));
    if (taken === undefined) throw error;
    throw new AppError('key_taken', taken.message, { cause: error });
  }
}

function toDocument({ id, key, ...page }: StatusPage): StatusPageDocument {
  return { ...page, ...keyField(key), _id: id };
}

function fromDocument({ _id, key, ...page }: StatusPageDocument): StatusPage {
  return { ...PAGE_DEFAULTS, ...page, id: _id, key: key ?? null };
}
