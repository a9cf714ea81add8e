/** Saved views as /v1 returns them. */
import { z } from 'zod';
import { CHECK_LISTS } from '../../contracts/check-list';
import { savedViewBody } from '../saved-view';
import { idSchema, instant, pageSchema, type ResponseOf } from './parts';

export const savedView = z
  .strictObject({
    id: idSchema('savedView'),
    version: z.int().min(1).meta({
      description: 'Grows with each change. The `ETag` contains it, and `If-Match` compares it',
      example: 1,
    }),
    name: z.string().meta({ description: 'Name of the view', example: 'Down in production' }),
    list: z.enum(CHECK_LISTS),
    query: savedViewBody.shape.query.unwrap(),
    isShared: z.boolean(),
    createdBy: z.string().nullable().meta({ description: 'Id of the person; null when unknown' }),
    createdAt: instant.describe('When the view was created'),
    updatedAt: instant.describe('When the view was last changed'),
  })
  .meta({ id: 'SavedView', description: 'Filters, order and columns of the list of checks' });

export type SavedViewResponse = ResponseOf<typeof savedView>;

export const savedViewPage = pageSchema(savedView);
