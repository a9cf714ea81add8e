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
    version: z.int().min(1).meta({
      description: 'Grows with each change. The `ETag` contains it, and `If-Match` compares it',
      example: 1,
    }),
    key: z.string().nullable().describe('Identifier in configuration files; null: none'),
    slug: z.string().meta({ example: 'shop' }),
    title: z.string().meta({ example: 'Shop status' }),
    description: z.string().nullable(),
    isPublic: z.boolean().meta({ example: true }),
    access: z.strictObject({
      type: z.enum(PAGE_ACCESS_TYPES),
      ranges: z.array(z.string()).optional().meta({ description: 'Only for the type ips' }),
    }),
    domains: z.array(z.string()),
    groups: z.array(
      z.strictObject({
        name: z.string().meta({ description: 'Name of the group', example: 'Shop' }),
        items: z.array(
          z.strictObject({
            id: z.string().meta({
              description: 'Id of the monitor or scenario',
              example: 'mon_01arz3ndektsv4rrffq69g5fav',
            }),
            name: z
              .string()
              .meta({ description: 'Name of the item on the page', example: 'Home page' }),
          }),
        ),
      }),
    ),
    showBadges: z.boolean().meta({
      description: 'true: badges show the state of the page and of its items',
      example: true,
    }),
    logo: z.string().nullable(),
    accent: z.string().nullable(),
    theme: z.enum(STATUS_PAGE_THEMES),
    language: z.enum(STATUS_PAGE_LANGUAGES),
    showResponseTimes: z.boolean(),
    posts: z.strictObject({
      drafts: z.boolean(),
      autoPublishAfterMinutes: z.int().nullable(),
      maintenance: z.boolean(),
      templates: z
        .array(
          z.strictObject({
            name: z.string(),
            use: z.enum(TEMPLATE_USES),
            title: z.string(),
            text: z.string(),
          }),
        )
        .meta({ description: 'Templates of posts', example: [] }),
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
      example: 'https://keepwatch.example.com/status/shop',
    }),
    createdAt: instant.describe('When the page was created'),
    updatedAt: instant.describe('When the page was last changed'),
  })
  .meta({ id: 'StatusPage' });

export type StatusPageResponse = ResponseOf<typeof statusPage>;

export const statusPagePage = pageSchema(statusPage);

export const pageDomains = z
  .strictObject({
    data: z
      .array(
        z.strictObject({
          host: z.string().meta({ description: 'The domain', example: 'status.example.com' }),
          isVerified: z.boolean().meta({
            description: 'true: the host leads to this service, which serves the page there',
            example: true,
          }),
          verifiedAt: maybeInstant.describe('When it was verified; null: it is not'),
          nextCheckAt: maybeInstant.meta({
            description:
              'null: the host is verified, or is not checked again until the page is saved',
          }),
          problem: z.string().nullable().meta({ description: 'Why the last check failed' }),
        }),
      )
      .describe('One entry per domain of the page'),
  })
  .meta({ id: 'StatusPageDomains' });

export type PageDomainResponse = ResponseOf<typeof pageDomains>['data'][number];

export const statusPagePreview = z
  .strictObject({
    html: z.string().meta({
      description: 'The whole page, without scripts and external files',
      example: '<!doctype html>…',
    }),
  })
  .meta({ id: 'StatusPagePreview' });

const postState = z.enum([...POST_STATES.incident, ...POST_STATES.maintenance]);

export const statusPagePost = z
  .strictObject({
    id: idSchema('post'),
    version: z.int().min(1).meta({
      description: 'Grows with each change. The `ETag` contains it, and `If-Match` compares it',
      example: 1,
    }),
    pageId: idSchema('statusPage'),
    type: z.enum(POST_TYPES).describe('Whether it reports an incident or announces maintenance'),
    title: z.string().meta({ description: 'Title of the post', example: 'Checkout is slow' }),
    affected: z.array(z.string()).meta({ description: 'Ids of items of the page' }),
    state: z
      .enum(['draft', 'published'])
      .meta({ description: 'draft: only members of the account see it', example: 'published' }),
    status: postState.meta({
      description: 'State of the last update; for a published post, of the last published update',
      example: 'investigating',
    }),
    updates: z
      .array(
        z.strictObject({
          id: idSchema('postUpdate'),
          state: postState.meta({
            description: 'State that the update reports',
            example: 'investigating',
          }),
          text: z.string().meta({ description: 'Markdown', example: 'We are looking into it.' }),
          at: instant.meta({
            description: 'When it was published; for a draft, when it was written',
          }),
          by: z.string().nullable().meta({ description: 'Author; null: the service' }),
          isDraft: z
            .boolean()
            .meta({ description: 'true: only members of the account see the update' }),
        }),
      )
      .describe('Updates, oldest first'),
    postMortem: z.string().nullable().describe('Review of the incident in Markdown; null: none'),
    publishAt: maybeInstant.meta({ description: 'When the draft is published automatically' }),
    publishedAt: maybeInstant.meta({
      description: 'When the post was published; null: it is a draft',
      example: '2026-01-31T12:00:00.000Z',
    }),
    incidentIds: z.array(z.string()).meta({ description: 'Incidents that created the draft' }),
    windowId: z.string().nullable().meta({ description: 'Maintenance window that it announces' }),
    createdAt: instant.describe('When the post was created'),
    updatedAt: instant.describe('When the post was last changed'),
  })
  .meta({ id: 'StatusPagePost' });

export type StatusPagePostResponse = ResponseOf<typeof statusPagePost>;

export const statusPagePostPage = pageSchema(statusPagePost);
