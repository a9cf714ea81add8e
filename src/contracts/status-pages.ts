/** Names and types for status pages and their posts. */
import { NO_SUBSCRIBERS } from './letters/letters';

export const STATUS_PAGE_THEMES = ['auto', 'light', 'dark'] as const;
export type StatusPageTheme = (typeof STATUS_PAGE_THEMES)[number];

/** Languages of public status pages, as BCP 47 names them. */
export const STATUS_PAGE_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'zh'] as const;
export type StatusPageLanguage = (typeof STATUS_PAGE_LANGUAGES)[number];

/** Path for the proof that a host points to this installation. */
export const DOMAIN_PROOF_PATH = '/.well-known/keepwatch-domain';

/** The types of access to a published page. */
export const PAGE_ACCESS_TYPES = ['public', 'password', 'members', 'ips'] as const;

/** Who may see a published page. Members of its account always may. */
export type StatusPageAccess =
  | { readonly type: 'public' }
  | { readonly type: 'members' }
  | { readonly type: 'password'; readonly passwordHash: string }
  | { readonly type: 'ips'; readonly ranges: readonly string[] };

export const PUBLIC_ACCESS: StatusPageAccess = { type: 'public' };

/** States of a post by its type, in their usual order. */
export const POST_STATES = {
  incident: ['investigating', 'identified', 'monitoring', 'resolved'],
  maintenance: ['scheduled', 'started', 'completed', 'cancelled'],
} as const;

export const POST_TYPES = ['incident', 'maintenance'] as const;
export type PostType = (typeof POST_TYPES)[number];
export type PostState = (typeof POST_STATES)[PostType][number];

/** When a template is used: by hand, or when an incident opens or is resolved. */
export const TEMPLATE_USES = ['manual', 'opened', 'resolved'] as const;

export interface PostTemplate {
  readonly name: string;
  readonly use: (typeof TEMPLATE_USES)[number];
  /** `{{items}}` in title and text is replaced by the names of the affected items. */
  readonly title: string;
  /** The text in Markdown. */
  readonly text: string;
}

/** The rules by which posts are created on a page. */
export interface PostSettings {
  /** True means that an incident on an item of the page creates a draft. */
  readonly drafts: boolean;
  /**
   * How long after its creation a draft about an incident is published automatically. null means that a person
   * publishes it.
   */
  readonly autoPublishAfterMinutes: number | null;
  /** True means that posts announce when maintenance of an item is planned, is moved, starts and ends. */
  readonly maintenance: boolean;
  readonly templates: readonly PostTemplate[];
}

/** The default settings for posts. */
export const PLAIN_POST_SETTINGS: PostSettings = {
  drafts: false,
  autoPublishAfterMinutes: null,
  maintenance: false,
  templates: [],
};

/** Defaults of fields that a page leaves out. */
export const PAGE_DEFAULTS = {
  description: null,
  isPublic: false,
  access: PUBLIC_ACCESS,
  domains: [],
  groups: [],
  showBadges: false,
  logo: null,
  accent: null,
  theme: 'auto',
  language: 'en',
  showResponseTimes: false,
  posts: PLAIN_POST_SETTINGS,
  subscribers: NO_SUBSCRIBERS,
  hours: null,
  showLedger: false,
} as const;

/** Maximum number of status pages of one account. */
export const PAGES_MAX = 50;
