/** Words of status pages and of the posts on them. Names and shapes only. */

export const STATUS_PAGE_THEMES = ['auto', 'light', 'dark'] as const;
export type StatusPageTheme = (typeof STATUS_PAGE_THEMES)[number];

/** States of a post by its type, in the order in which people go through them. */
export const POST_STATES = {
  incident: ['investigating', 'identified', 'monitoring', 'resolved'],
  maintenance: ['scheduled', 'started', 'completed', 'cancelled'],
} as const;

export const POST_TYPES = ['incident', 'maintenance'] as const;
export type PostType = (typeof POST_TYPES)[number];
export type PostState = (typeof POST_STATES)[PostType][number];

/** What a template is for: a person picks it, or a draft is written from it. */
export const TEMPLATE_USES = ['manual', 'opened', 'resolved'] as const;

export interface PostTemplate {
  readonly name: string;
  readonly use: (typeof TEMPLATE_USES)[number];
  /** `{{items}}` in title and text stands for the names of the affected items. */
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** How posts come about on a page. */
export interface PostSettings {
  /** An incident on an item of the page makes a draft. */
  readonly drafts: boolean;
  /** Such a draft is published by itself after this time; null: a person publishes it. */
  readonly autoPublishAfterMinutes: number | null;
  /** Posts say when maintenance of an item is planned, moved, under way and over. */
  readonly maintenance: boolean;
  readonly templates: readonly PostTemplate[];
}

/** Of pages that say nothing. */
export const PLAIN_POST_SETTINGS: PostSettings = {
  drafts: false,
  autoPublishAfterMinutes: null,
  maintenance: false,
  templates: [],
};

/** Status pages of one account. */
export const PAGES_MAX = 50;
