/** Status pages of accounts, with the names that outsiders see. */
import type { Model } from 'mongoose';
import type { SubscriberSettings } from '../../contracts/letters/letters';
import {
  PAGE_DEFAULTS,
  type PostSettings,
  type StatusPageAccess,
  type StatusPageLanguage,
  type StatusPageTheme,
} from '../../contracts/status-pages';
import { listVerifiedHosts, type PageDomain } from '../../domain/status-pages/page-domain';
import { AppError } from '../../platform/errors';
import { isDuplicate } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readAll, readOne } from '../store/entities';
import { above, atMost, matchAny } from '../store/filters';
import {
  createVersionedStore,
  refuseTakenKey,
  type Stored,
  toKeyField,
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
  /** Identifies the page for `apply`. The key is unique in the account. */
  readonly key: string | null;
  /** The `apply` set (`set:` in the file) that created the page. */
  readonly managedBy?: string;
  /** The part of the URL that identifies the page. Unique across all accounts. */
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  /** False means that the page is invisible to outsiders. */
  readonly isPublic: boolean;
  readonly access: StatusPageAccess;
  /**
   * The page's domains. One page per account can claim a domain, but only one page of the installation can verify it.
   */
  readonly domains: readonly PageDomain[];
  readonly groups: readonly StatusPageGroup[];
  readonly showBadges: boolean;
  /** The logo as a data URL. */
  readonly logo: string | null;
  /** The accent colour as `#rrggbb`. */
  readonly accent: string | null;
  readonly theme: StatusPageTheme;
  readonly language: StatusPageLanguage;
  /** True means that outsiders see response times of the last 24 hours. */
  readonly showResponseTimes: boolean;
  readonly posts: PostSettings;
  readonly subscribers: SubscriberSettings;
  /** Key of the service hours during which availability counts. */
  readonly hours: string | null;
  /** True means that the page shows the ledger of the account's own checks. */
  readonly showLedger: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

interface VerifiedDomain {
  readonly host: string;
  readonly slug: string;
  readonly pageId: string;
}

/** Stores status pages. Writes throw `key_taken` if the slug is taken, even by a page of another account. */
export interface StatusPageStore extends VersionedStore<StatusPage> {
  /** Finds a page by its slug alone, because the account is not known when an outsider opens a page. */
  readonly findPublic: (slug: string) => Promise<StatusPage | null>;
  /** Lists pages of all accounts whose posts are created from incidents or maintenance. */
  readonly listPosting: (by: 'drafts' | 'maintenance') => Promise<readonly StatusPage[]>;
  /** Lists the verified domains of all accounts. If hosts are given, lists only domains of pages with these hosts. */
  readonly listVerifiedDomains: (hosts?: readonly string[]) => Promise<readonly VerifiedDomain[]>;
  /** Lists the pages of all accounts that have a domain whose check is due. */
  readonly listWithDueDomains: (nowMs: number, max: number) => Promise<readonly StatusPage[]>;
  /**
   * Stores the state of domains without changing the version. Returns false if the page has changed since it was read,
   * or if another page has one of the domains.
   */
  readonly storeDomains: (
    page: Pick<StatusPage, 'id' | 'accountId' | 'version'>,
    domains: readonly PageDomain[],
  ) => Promise<boolean>;
  /** Returns which of the ids belong to existing pages, in any account. */
  readonly findIds: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Finds a page for members. Also finds pages that are not public. */
  readonly findBySlug: (accountId: string, slug: string) => Promise<StatusPage | null>;
}

/** Fields that old pages do not have. */
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

export type StatusPageDocument = Omit<Stored<StatusPage>, Later> &
  Partial<Pick<StatusPage, Later>> & {
    /** The verified hosts. Absent if there are none, to leave the page out of the index. */
    readonly verifiedHosts?: readonly string[];
  };

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
    verifiedHosts: { type: [String], default: undefined },
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
        key: { accountId: 1, 'domains.host': 1 },
        unique: true,
        partialFilterExpression: { 'domains.host': { $exists: true } },
      },
      {
        key: { verifiedHosts: 1 },
        unique: true,
        partialFilterExpression: { verifiedHosts: { $exists: true } },
      },
      { key: { 'posts.drafts': 1 }, partialFilterExpression: { 'posts.drafts': true } },
      { key: { 'posts.maintenance': 1 }, partialFilterExpression: { 'posts.maintenance': true } },
      uniqueKeyIndex,
    ],
    // Dropped, because this index of earlier releases allowed one account to block a host for all other accounts.
    retiredIndexes: ['domains.host_1'],
  },
);

export function createStatusPageStore(pages: Model<StatusPageDocument>): StatusPageStore {
  return {
    ...createVersionedStore({ model: pages, toDocument, fromDocument, refuseTaken }),
    ...createDomainStore(pages),
    findPublic: (slug) =>
      readOne(pages.findOne({ slug, isPublic: true }).lean<StatusPageDocument>(), fromDocument),
    async listPosting(by) {
      const wanted = by === 'drafts' ? { 'posts.drafts': true } : { 'posts.maintenance': true };
      const found = await pages.find(wanted).lean<StatusPageDocument[]>();
      return found.map(fromDocument);
    },
    async findIds(ids) {
      const found = await pages.find({ _id: matchAny(ids) }, { _id: 1 }).lean<{ _id: string }[]>();
      return new Set(found.map(({ _id }) => _id));
    },
    findBySlug: (accountId, slug) =>
      readOne(pages.findOne({ slug, accountId }).lean<StatusPageDocument>(), fromDocument),
  };
}

function createDomainStore(
  pages: Model<StatusPageDocument>,
): Pick<StatusPageStore, 'listVerifiedDomains' | 'listWithDueDomains' | 'storeDomains'> {
  return {
    async listVerifiedDomains(hosts) {
      const wanted = hosts === undefined ? above('') : matchAny(hosts);
      const found = await pages
        .find({ verifiedHosts: wanted }, { slug: 1, verifiedHosts: 1 })
        .lean<Pick<StatusPageDocument, '_id' | 'slug' | 'verifiedHosts'>[]>();
      return found.flatMap(({ _id: pageId, slug, verifiedHosts = [] }) =>
        verifiedHosts.map((host) => ({ host, slug, pageId })),
      );
    },
    listWithDueDomains: (nowMs, max) =>
      readAll(
        pages
          .find({ 'domains.nextCheckAtMs': atMost(nowMs) })
          .sort({ 'domains.nextCheckAtMs': 1 })
          .limit(max)
          .lean<StatusPageDocument[]>(),
        fromDocument,
      ),
    async storeDomains({ id, accountId, version }, domains) {
      const fields = { domains, ...hostsField(domains) };
      const change =
        fields.verifiedHosts === undefined
          ? { $set: fields, $unset: { verifiedHosts: 1 as const } }
          : { $set: fields };
      try {
        const stored = await pages.updateOne({ _id: id, accountId, version }, change);
        return stored.matchedCount === 1;
      } catch (error) {
        if (isDuplicate(error, 'verifiedHosts')) return false;
        throw error;
      }
    },
  };
}

const TAKEN = [
  { field: 'slug', message: 'Another status page has this slug.' },
  { field: 'domains.host', message: 'Another status page has one of these domains.' },
  { field: 'verifiedHosts', message: 'Another status page has one of these domains.' },
] as const;

async function refuseTaken<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await refuseTakenKey(write);
  } catch (error) {
    const taken = TAKEN.find(({ field }) => isDuplicate(error, field));
    if (taken === undefined) throw error;
    throw new AppError('key_taken', taken.message, { cause: error });
  }
}

function toDocument({ id, key, ...page }: StatusPage): StatusPageDocument {
  return { ...page, ...toKeyField(key), ...hostsField(page.domains), _id: id };
}

function hostsField(domains: readonly PageDomain[]): Pick<StatusPageDocument, 'verifiedHosts'> {
  const verifiedHosts = listVerifiedHosts(domains);
  return verifiedHosts.length === 0 ? {} : { verifiedHosts };
}

function fromDocument({
  _id,
  key,
  verifiedHosts: _hosts,
  ...page
}: StatusPageDocument): StatusPage {
  return { ...PAGE_DEFAULTS, ...page, id: _id, key: key ?? null };
}
