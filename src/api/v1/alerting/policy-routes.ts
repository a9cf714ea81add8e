/** The routes of alert policies (docs/alerts.md). */
import { simulateBody } from '../../../schemas/alert-policy';
import {
  alertPolicy,
  alertPolicyPage,
  alertSimulation,
} from '../../../schemas/responses/alert-policies';
import { ALERT_POLICIES } from '../../../services/alerting/alert-policies';
import { simulatePolicy } from '../../../services/alerting/simulate-policy';
import { PATCHES } from '../../openapi/named-shapes';
import { objectRoutes, replacementRoutes } from '../../routing/object-routes';
import { okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';

const DOC = {
  names: {
    tag: 'Alert policies',
    path: '/v1/alert-policies',
    param: 'policyId',
    operand: 'AlertPolicy',
    operands: 'AlertPolicies',
    audit: 'alert_policy',
    the: 'The policy',
    one: 'an alert policy',
    many: 'alert policies',
    guide: 'docs/alerts.md#alert-policies',
  },
  schema: alertPolicy,
  page: alertPolicyPage,
  descriptions: {
    create:
      'Creates a policy: whom to notify one after the other, until someone responds. It has no effect before a check or a route names it.',
    remove:
      'Deletes the policy. Checks that name it then use the routes. While a route names it, the response is 409 `in_use`.',
  },
  codes: { create: ['key_taken', 'limit_reached'], remove: ['in_use'] },
  example: {
    key: 'on-call',
    name: 'On call',
    steps: [
      { afterMinutes: 0, notify: ['chat'] },
      { afterMinutes: 15, notify: ['pager'], repeat: { everyMinutes: 10, times: 3 } },
    ],
  },
} as const;

const { list, create, read, remove } = objectRoutes(ALERT_POLICIES, DOC);

export const alertPolicyRoutes: readonly Route[] = [
  list,
  create,
  read,
  ...replacementRoutes(ALERT_POLICIES, DOC, {
    effect:
      'The key cannot be changed. Escalations in progress keep the policy that they started with.',
    patch: PATCHES.AlertPolicyPatch,
    patchExample: { name: 'On call, nights' },
  }),
  remove,
  route({
    endpoint: 'POST /v1/alert-policies/:policyId/simulate',
    operationId: 'simulateAlertPolicy',
    tag: 'Alert policies',
    summary: 'Simulate an alert policy',
    description: 'Lists who would be notified when, if no one responded. Nothing is sent.',
    guide: 'docs/alerts.md#alert-policies',
    scope: 'read',
    audit: null,
    body: simulateBody,
    responses: { 200: { description: 'Who would be notified', schema: alertSimulation } },
    example: { at: '2026-11-21T22:30:00.000Z', kind: 'failure' },
    handler: async ({ accountId }, { services, param, body }) => {
      const { at: atMs, ...given } = body;
      const request = { id: param('policyId'), atMs, ...given };
      return okResponse(await simulatePolicy(services, accountId, request));
    },
  }),
];
