/** Status pages as /v1 returns them. */
import { z } from 'zod';
import { STATUS_PAGE_THEMES } from '../../contracts/status-page-themes';
import { idOf, instant, pageOf, type ResponseOf } from './parts';

export const statusPage = z
  .strictObject({
    id: idOf('statusPage'),
    version: z.int().min(1),
    key: z.string().nullable(),
    slug: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    isPublic: z.boolean(),
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
    url: z
      .string()
      .meta({ description: 'For everyone while public, for members of the account always' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'StatusPage' });

export type StatusPageResponse = ResponseOf<typeof statusPage>;

export const statusPagePage = pageOf(statusPage);

export const statusPagePreview = z
  .strictObject({
    html: z.string().meta({ description: 'The whole page; it runs no script and loads nothing' }),
  })
  .meta({ id: 'StatusPagePreview' });
