/** Status pages as /v1 answers them. */
import { z } from 'zod';
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
    url: z.string().meta({ description: 'Where the page is while it is public' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'StatusPage' });

export type StatusPageResponse = ResponseOf<typeof statusPage>;

export const statusPagePage = pageOf(statusPage);
