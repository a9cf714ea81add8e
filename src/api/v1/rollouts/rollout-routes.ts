/** The routes of rollouts. A rollout changes many monitors and scenarios in the background. */
import { z } from 'zod';
import { ROLLOUT_ITEM_STATES } from '../../../contracts/operations/rollouts';
import { pageQuery } from '../../../schemas/queries';
import { rollout, rolloutPage, rolloutWithItems } from '../../../schemas/responses/rollouts';
import { getRollout, listRollouts, showRollout } from '../../../services/rollouts/present-rollout';
import { undoRollout } from '../../../services/undo/undo-rollout';
import { listResponse, okResponse } from '../../routing/response';
import { EMPTY_BODY, type Route, route } from '../../routing/route';
import { startedResponse } from './started-response';

const itemQuery = pageQuery.extend({
  state: z
    .enum(ROLLOUT_ITEM_STATES)
    .optional()
    .meta({ description: 'Only resources in this state' }),
});

/** Planning for the thousands of resources that use a profile or environment may take this long. */
const UNDO_DEADLINE_MS = 120_000;

export const rolloutRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/rollouts',
    operationId: 'listRollouts',
    tag: 'Rollouts',
    summary: 'List rollouts',
    description:
      'Returns rollouts with their progress, newest first, without their resources. Rollouts are kept for 30 days.',
    guide: 'docs/api/rollouts.md#progress',
    scope: 'read',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: rolloutPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listRollouts(services, accountId, query), url),
  }),
  route({
    endpoint: 'GET /v1/rollouts/:rolloutId',
    operationId: 'getRollout',
    tag: 'Rollouts',
    summary: 'Get a rollout',
    description:
      'Returns the rollout with its progress and a page of the monitors and scenarios that it changes.',
    guide: 'docs/api/rollouts.md#progress',
    scope: 'read',
    query: itemQuery,
    responses: { 200: { description: 'The rollout', schema: rolloutWithItems } },
    handler: async ({ accountId }, { services, param, query }) => {
      const request = { ...query, id: param('rolloutId') };
      return okResponse(await getRollout(services, accountId, request));
    },
  }),
  route({
    endpoint: 'POST /v1/rollouts/:rolloutId/undo',
    operationId: 'undoRollout',
    tag: 'Rollouts',
    summary: 'Undo a rollout',
    description:
      'Starts a second rollout that restores the earlier definitions. Works for 24 hours after the end of a rollout; definitions that were changed since are skipped.',
    guide: 'docs/api/rollouts.md#undo',
    scope: 'write',
    deadlineMs: UNDO_DEADLINE_MS,
    audit: 'rollout.undo',
    body: EMPTY_BODY,
    isBodyOptional: true,
    responses: {
      202: { description: 'The rollout that undoes it', schema: rollout, isLocated: true },
    },
    codes: ['not_undoable'],
    example: {},
    handler: async (principal, { services, param }) => {
      const id = param('rolloutId');
      const started = await undoRollout(services, principal, id);
      const action = { action: 'rollout.undo', resourceId: id };
      return startedResponse(await showRollout(services, started), action);
    },
  }),
];
