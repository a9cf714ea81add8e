/** Request bodies of status pages, which show outsiders the state of monitors and scenarios. */
import { z } from 'zod';
import {
  PAGE_DEFAULTS,
  STATUS_PAGE_LANGUAGES,
  STATUS_PAGE_THEMES,
} from '../../contracts/status-pages';
import { keyField, nameField } from '../fields';
import { accessField } from './access';
import { domainsField } from './domains';
import { postSettingsField } from './post';
import { subscriberSettingsField } from './subscriber';

const GROUPS_MAX = 30;
/**
 * Maximum length of the logo's data URL, enough for an image of about 24 KiB. The limit is low because the logo is part
 * of every response.
 */
const LOGO_MAX = 32_768;
/** Maximum number of items on a page, in all of its groups. */
const ITEMS_MAX = 100;

const item = z.strictObject({
  id: z
    .string()
    .regex(/^(mon|scn)_[0-9a-z]{26}$/, 'must be the id of a monitor or scenario')
    .describe('Id of the monitor or scenario'),
  name: nameField,
});

const group = z.strictObject({
  name: nameField,
  items: z.array(item).min(1).max(ITEMS_MAX).describe('Monitors and scenarios of the group'),
});

type StatusPageGroup = z.output<typeof group>;

const fields = {
  key: keyField,
  slug: z
    .string()
    .regex(/^[a-z0-9-]{3,60}$/, 'must be 3 to 60 lower-case letters, digits and hyphens')
    .describe('Last part of the URL of the page'),
  title: nameField,
  description: z
    .string()
    .trim()
    .max(2_000)
    .nullable()
    .default(PAGE_DEFAULTS.description)
    .describe('Text below the title; null: none'),
  isPublic: z
    .boolean()
    .default(PAGE_DEFAULTS.isPublic)
    .describe('true: visitors see the page; false: only members of the account do'),
  access: accessField,
  domains: domainsField,
  groups: z
    .array(group)
    .max(GROUPS_MAX)
    .default([])
    .superRefine(refuseBadItems)
    .describe('Groups of items, in their order on the page'),
  showBadges: z
    .boolean()
    .default(PAGE_DEFAULTS.showBadges)
    .describe('true: badges show the state of the page and of its items'),
  logo: z
    .string()
    .max(LOGO_MAX)
    .regex(
      /^data:image\/(?:png|jpeg|webp|gif|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/,
      'must be a PNG, JPEG, WebP, GIF or SVG image as a base64 data URL',
    )
    .nullable()
    .default(PAGE_DEFAULTS.logo)
    .meta({ description: 'An image as a data URL, shown above the title' }),
  accent: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour like #0b6374')
    .nullable()
    .default(PAGE_DEFAULTS.accent)
    .meta({ description: 'A colour for the edge of the page' }),
  theme: z
    .enum(STATUS_PAGE_THEMES)
    .default(PAGE_DEFAULTS.theme)
    .meta({ description: 'auto: as the browser of the visitor prefers' }),
  language: z.enum(STATUS_PAGE_LANGUAGES).default(PAGE_DEFAULTS.language).meta({
    description:
      'Language of the built-in texts and times of the page and its feeds. Texts of people are not translated',
  }),
  showResponseTimes: z.boolean().default(PAGE_DEFAULTS.showResponseTimes).meta({
    description: 'true: the page and its badges show the response times of the last 24 hours',
  }),
  posts: postSettingsField,
  subscribers: subscriberSettingsField,
  hours: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .nullable()
    .default(PAGE_DEFAULTS.hours)
    .meta({ description: 'Key of hours. Time outside of them does not count in availability' }),
  showLedger: z.boolean().default(PAGE_DEFAULTS.showLedger).meta({
    description: 'true: the page shows how many checks of the account were due, made and missed',
  }),
};

export const statusPageBody = z.strictObject(fields);
export type StatusPageBody = z.output<typeof statusPageBody>;

const NAMES = ['id', 'monitor', 'scenario'] as const;

/** An item in a file for `keepwatch apply`. It refers to a monitor or scenario by its key or id. */
const entryItem = z
  .strictObject({
    id: item.shape.id.optional(),
    monitor: z.string().min(1).max(100).meta({ description: 'The key of a monitor' }).optional(),
    scenario: z.string().min(1).max(100).meta({ description: 'The key of a scenario' }).optional(),
    name: nameField,
  })
  .refine(
    (given) => NAMES.filter((name) => given[name] !== undefined).length === 1,
    'must have exactly one of monitor, scenario and id',
  );

const entryGroup = group.extend({ items: z.array(entryItem).min(1).max(ITEMS_MAX) });

/** A page in a file for `keepwatch apply`. Apply looks up the resources to which its items refer. */
export const statusPageEntry = z.strictObject({
  ...fields,
  groups: z.array(entryGroup).max(GROUPS_MAX).default([]),
});
export type StatusPageEntry = z.output<typeof statusPageEntry>;

export const statusPagePreviewQuery = z.strictObject({
  pageId: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Id of the saved page whose posts the preview shows. Default: no posts' }),
});

/**
 * Reports too many items. Also reports a resource that is on the page twice, because its badge can have only one name.
 */
function refuseBadItems(groups: readonly StatusPageGroup[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [at, { items }] of groups.entries())
    for (const [index, { id }] of items.entries()) {
      if (seen.has(id))
        context.addIssue({
          code: 'custom',
          path: [at, 'items', index, 'id'],
          message: 'is already on the page',
        });
      seen.add(id);
    }
  if (seen.size > ITEMS_MAX)
    context.addIssue({ code: 'custom', message: `must have at most ${ITEMS_MAX} items` });
}
