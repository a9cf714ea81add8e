/** Bodies of posts on status pages, and of a page's settings for posts. */
import { z } from 'zod';
import {
  PLAIN_POST_SETTINGS,
  POST_STATES,
  POST_TYPES,
  TEMPLATE_USES,
} from '../../contracts/status-pages';
import { isId } from '../../domain/definitions/ids';
import { TEXT_MAX, TITLE_MAX } from '../../domain/status-pages/incident-post';
import { hasState, UPDATES_MAX } from '../../domain/status-pages/post';
import { lineField, nameField } from '../fields';
import { idFilter, instantField, pageQuery } from '../queries';
import { ignoringReadOnly } from '../read-only';

const TEMPLATES_MAX = 20;
const AUTO_PUBLISH_MINUTES_MAX = 1_440;
/** How many items a post may name, which is the maximum number of items on a page. */
const AFFECTED_MAX = 100;

/** Matches control characters that feeds cannot contain. */
const CONTROL_CHARACTERS = /(?![\t\r\n])\p{Cc}/u;

const titleField = lineField.min(1).max(TITLE_MAX);
const textField = z
  .string()
  .trim()
  .min(1)
  .max(TEXT_MAX)
  .refine((text) => !CONTROL_CHARACTERS.test(text), 'must not contain control characters')
  .meta({ description: 'Markdown. HTML, images and tables are shown as plain text' });

const postStateField = z.enum([...POST_STATES.incident, ...POST_STATES.maintenance]).meta({
  description: `For an incident: ${POST_STATES.incident.join(', ')}; for maintenance: ${POST_STATES.maintenance.join(', ')}`,
});

const template = z.strictObject({
  name: nameField,
  use: z.enum(TEMPLATE_USES).default('manual').meta({
    description:
      'manual: people choose the template; opened, resolved: drafts are created from it when an incident opens or is resolved',
  }),
  title: titleField.describe('Title of a post that is created from the template'),
  text: textField,
});

/** The settings for posts of a status page. */
export const postSettingsField = z
  .strictObject({
    drafts: z.boolean().default(PLAIN_POST_SETTINGS.drafts).meta({
      description: 'true: an incident on an item of the page creates a draft of a post',
    }),
    autoPublishAfterMinutes: z
      .int()
      .min(1)
      .max(AUTO_PUBLISH_MINUTES_MAX)
      .nullable()
      .default(PLAIN_POST_SETTINGS.autoPublishAfterMinutes)
      .meta({
        description:
          'Minutes after which such a draft is published automatically; null: only people publish it',
      }),
    maintenance: z.boolean().default(PLAIN_POST_SETTINGS.maintenance).meta({
      description:
        'true: posts announce maintenance windows of items a day before, at the start, at the end, and when they are moved or cancelled',
    }),
    templates: z
      .array(template)
      .max(TEMPLATES_MAX)
      .default([])
      .superRefine(refuseDuplicateTemplates)
      .meta({
        description: '`{{items}}` in title and text is replaced by the names of the affected items',
      }),
  })
  .prefault({})
  .meta({ description: 'Rules by which posts are created on the page' });

/**
 * Reports templates that have the name of an earlier template. Also reports a second template for the same kind of
 * automatic draft.
 */
function refuseDuplicateTemplates(
  templates: readonly z.output<typeof template>[],
  context: z.RefinementCtx,
): void {
  for (const [at, { name, use }] of templates.entries()) {
    const before = templates.slice(0, at);
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [at, field], message });
    if (before.some((other) => other.name === name))
      refuse('name', 'is already the name of another template');
    if (use !== 'manual' && before.some((other) => other.use === use))
      refuse('use', `is already the use of another template; only one template may be for ${use}`);
  }
}

const affectedField = z
  .array(z.string().max(100))
  .max(AFFECTED_MAX)
  .transform((ids) => [...new Set(ids)])
  .meta({ description: 'Ids of items of the page' })
  .default([]);

const publishAtField = instantField
  .nullable()
  .default(null)
  .meta({ description: 'When a draft is published automatically, within a minute; null: never' });

const typeField = z.enum(POST_TYPES).default('incident');

/** A new post with its first update. */
export const statusPagePostBody = z
  .strictObject({
    pageId: z
      .string()
      .refine((id) => isId('statusPage', id), 'must be the id of a status page')
      .describe('Id of the status page'),
    type: typeField,
    title: titleField.describe('Title of the post'),
    affected: affectedField,
    state: postStateField.optional().meta({
      description:
        'State of the first update. Default: investigating, or scheduled for maintenance',
    }),
    text: textField,
    publish: z.boolean().default(false).meta({
      description:
        'true: the post is published at once; false: it is a draft that only members of the account see',
    }),
    publishAt: publishAtField,
  })
  .refine(({ type, state }) => state === undefined || hasState(type, state), {
    path: ['state'],
    message: 'is not a state of this type of post',
  })
  .refine(({ publish, publishAt }) => !publish || publishAt === null, {
    path: ['publishAt'],
    message: 'must be null for a post that is published at once',
  });
export type StatusPagePostBody = z.output<typeof statusPagePostBody>;

/** The body of a change: the fields of a post that can be changed. Updates that are left out are deleted. */
export const statusPagePostChange = z.strictObject({
  title: titleField.describe('Title of the post'),
  affected: affectedField,
  updates: z
    .array(
      z.preprocess(
        withoutServerFields,
        z.strictObject({
          id: z.string().max(100).describe('Id of the update'),
          state: postStateField,
          text: textField,
        }),
      ),
    )
    .min(1)
    .max(UPDATES_MAX)
    .meta({ description: 'Updates, matched by id. An update that is left out is deleted' }),
  postMortem: textField
    .nullable()
    .default(null)
    .meta({ description: 'Markdown. Allowed once the post has ended' }),
  publishAt: publishAtField,
});
export type StatusPagePostChange = z.output<typeof statusPagePostChange>;

function withoutServerFields(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const { at: _at, by: _by, isDraft: _isDraft, ...given } = { at: 0, by: 0, isDraft: 0, ...sent };
  return given;
}

/** The body of PATCH. It also accepts the read-only fields of a response, and ignores them. */
export const statusPagePostReplacement = ignoringReadOnly(statusPagePostChange, [
  'id',
  'version',
  'pageId',
  'type',
  'state',
  'status',
  'publishedAt',
  'incidentIds',
  'windowId',
  'createdAt',
  'updatedAt',
]);

export const postUpdateBody = z.strictObject({
  state: postStateField,
  text: textField,
  draft: z.boolean().default(false).meta({
    description:
      'true: visitors see the update only after the post is published again. Updates of a draft are always hidden',
  }),
});
export type PostUpdateBody = z.output<typeof postUpdateBody>;

export const postQuery = z.strictObject({
  ...pageQuery.shape,
  pageId: idFilter('Only posts of this status page'),
  state: z
    .enum(['draft', 'published'])
    .optional()
    .meta({ description: 'Only drafts, or only published posts. Default: both' }),
  incidentId: idFilter('Only posts that this incident created'),
});
export type PostQuery = z.output<typeof postQuery>;
