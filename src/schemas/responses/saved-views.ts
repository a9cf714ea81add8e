/** Saved views as /v1 returns them. */
import { z } from 'zod';
import { CHECK_LISTS } from '../../contracts/check-list';
import { savedViewBody } from '../saved-view';
import { idSchema, instant, pageSchema, type ResponseOf } from './parts';

export const savedView = z
  .strictObject({
    id: idSchema('savedView'),
    version: z.int().min(1),
    name: z.string(),
    list: z.enum(CHECK_LISTS),
    query: savedViewBody.shape.query.unwrap(),
    isShared: z.boolean(),
    createdBy: z.string().nullable().meta({ description: 'Id of the person; null when unknown' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'SavedView', description: 'Filters, order and columns of the list of checks' });

export type SavedViewResponse = ResponseOf<typeof savedView>;

export const savedViewPage = pageSchema(savedView);
