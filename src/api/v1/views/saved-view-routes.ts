/** The routes of saved views of the list of checks (docs/api.md). */
import { pageQuery } from '../../../schemas/queries';
import { savedView, savedViewPage } from '../../../schemas/responses/saved-views';
import { savedViewBody, savedViewReplacement } from '../../../schemas/saved-view';
import {
  createSavedView,
  deleteSavedView,
  getSavedView,
  listSavedViews,
  replaceSavedView,
} from '../../../services/views/saved-views';
import { PATCHES } from '../../openapi/named-shapes';
import {
  createRoute,
  deleteRoute,
  getRoute,
  listRoute,
  patchRoute,
  type Reading,
} from '../../routing/resource-routes';
import type { Route } from '../../routing/route';

const VIEW = {
  tag: 'Saved views',
  path: '/v1/saved-views',
  param: 'viewId',
  operand: 'SavedView',
  audit: 'saved_view',
  the: 'The view',
  one: 'a saved view',
  many: 'saved views',
  guide: 'docs/api/saved-views.md',
} as const;

const READ: Reading<typeof savedView> = {
  schema: savedView,
  read: ({ services, principal, id }) => getSavedView(services, principal, id),
};

export const savedViewRoutes: readonly Route[] = [
  listRoute(VIEW, {
    description: 'Returns shared views and your own views in pages, newest first.',
    query: pageQuery,
    schema: savedViewPage,
    list: ({ services, principal }, query) => listSavedViews(services, principal, query),
  }),
  createRoute(VIEW, {
    description:
      'Saves the filters, the order and the columns of a list of checks. Only you see the view, unless `isShared` is true.',
    body: savedViewBody,
    schema: savedView,
    codes: ['limit_reached'],
    example: {
      name: 'Shop, slowest first',
      list: 'monitors',
      query: { group: 'Shop', status: 'down,degraded', sort: '-p95', by: 'none' },
      isShared: true,
    },
    create: ({ services, principal }, body) => createSavedView(services, principal, body),
  }),
  getRoute(VIEW, READ),
  patchRoute(
    VIEW,
    {
      ...READ,
      effect: 'Only the creator can make a shared view private.',
      body: savedViewReplacement,
      replace: ({ services, principal, ...change }, body) =>
        replaceSavedView(services, principal, { ...change, body }),
    },
    { patch: PATCHES.SavedViewPatch, example: { name: 'Shop' } },
  ),
  deleteRoute(VIEW, {
    description: 'Deletes the view, also for everyone who shares it. The checks stay.',
    remove: ({ services, principal, ...change }) => deleteSavedView(services, principal, change),
  }),
];
