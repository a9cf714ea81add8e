/** Status pages as /v1 returns them. */
import { z } from 'zod';
import {
  PAGE_ACCESS_TYPES,
  POST_STATES,
  POST_TYPES,
  STATUS_PAGE_LANGUAGES,
  STATUS_PAGE_THEMES,
  TEMPLATE_USES,
} from '../../contracts/status-pages';
import { idSchema, instant, maybeInstant, pageSchema, type ResponseOf } from './parts';

export const statusPage = z
  .strictObject({
    id: idSchema('statusPage'),
    version: z.int().min(1),
    key: z.string().nullable(),
    slug: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    isPublic: z.boolean(),
    access: z.strictObject({
      type: z.enum(PAGE_ACCESS_TYPES),
      ranges: z.array(z.string()).optional().meta({ description: 'Only for the type ips' }),
    }),
    domains: z.array(z.string()),
    groups: z.array(
      z.strictObject({
        name: z.string(),
        items: z.array(z.strictObject({ id: z.string(), name: z.string() })),
      }),
    ),
    showBadges: z.boolean(),
    logo: z.string().nullable(),
    accent: z.string().nullable(),
    theme: z.enum(STATUS_PAGE_THEMES),
    language: z.enum(STATUS_PAGE_LANGUAGES),
    showResponseTimes: z.boolean(),
    posts: z.strictObject({
      drafts: z.boolean(),
      autoPublishAfterMinutes: z.int().nullable(),
      maintenance: z.boolean(),
      templates: z.array(
        z.strictObject({
          name: z.string(),
          use: z.enum(TEMPLATE_USES),
          title: z.string(),
          text: z.string(),
        }),
      ),
    }),
    subscribers: z.strictObject({ mail: z.boolean(), webhook: z.boolean(), slack: z.boolean() }),
    hours: z
      .string()
      .nullable()
      .meta({ description: 'Key of the hours in which availability counts' }),
    showLedger: z.boolean(),
    url: z.string().meta({
      description:
        'Open to visitors while the page is public, and always to members of the account',
    }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'StatusPage' });

export type StatusPageResponse = ResponseOf<typeof statusPage>;

export const statusPagePage = pageSchema(statusPage);

export const pageDomains = z
  .strictObject({
    data: z.array(
      z.strictObject({
        host: z.string(),
        isVerified: z.boolean().meta({
          description: 'true: the host leads to this service, which serves the page there',
        }),
        verifiedAt: maybeInstant,
        nextCheckAt: maybeInstant.meta({
          description:
            'null: the host is verified, or is not checked again until the page is saved',
        }),
        problem: z.string().nullable().meta({ description: 'Why the last check failed' }),
      }),
    ),
  })
  .meta({ id: 'StatusPageDomains' });

export type PageDomainResponse = ResponseOf<typeof pageDomains>['data'][number];

export const statusPagePreview = z
  .strictObject({
    html: z.string().meta({ description: 'The whole page, without scripts and external files' }),
  })
  .meta({ id: 'StatusPagePreview' });

const postState = z.enum([...POST_STATES.incident, ...POST_STATES.maintenance]);

export const statusPagePost = z
  .strictObject({
    id: idSchema('post'),
    version: z.int().min(1),
    pageId: idSchema('statusPage'),
    type: z.enum(POST_TYPES),
    title: z.string(),
    affected: z.array(z.string()).meta({ description: 'Ids of items of the page' }),
    state: z.enum(['draft', 'published']),
    status: postState.meta({
      description: 'State of the last update; for a published post, of the last published update',
    }),
    updates: z.array(
      z.strictObject({
        id: idSchema('postUpdate'),
        state: postState,
        text: z.string().meta({ description: 'Markdown' }),
        at: instant.meta({
          description: 'When it was published; for a draft, when it was written',
        }),
        by: z.string().nullable().meta({ description: 'Author; null: the service' }),
        isDraft: z
          .boolean()
          .meta({ description: 'true: only members of the account see the update' }),
      }),
    ),
    postMortem: z.string().nullable(),
    publishAt: maybeInstant.meta({ description: 'When the draft is published automatically' }),
    publishedAt: maybeInstant,
    incidentIds: z.array(z.string()).meta({ description: 'Incidents that created the draft' }),
    windowId: z.string().nullable().meta({ description: 'Maintenance window that it announces' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'StatusPagePost' });

export type StatusPagePostResponse = ResponseOf<typeof statusPagePost>;

export const statusPagePostPage = pageSchema(statusPagePost);
