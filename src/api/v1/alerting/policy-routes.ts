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
import { okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';
import { replacementRoutes, thingRoutes } from '../../routing/thing-routes';

const DOC = {
  names: {
    tag: 'Alerts',
    path: '/v1/alert-policies',
    param: 'policyId',
    operand: 'AlertPolicy',
    operands: 'AlertPolicies',
    audit: 'alert_policy',
    the: 'The policy',
  },
  schema: alertPolicy,
  page: alertPolicyPage,
  summaries: {
    list: 'List alert policies, newest first',
    create: 'Create a policy: whom to notify one after the other',
    read: 'Read a policy',
    remove: 'Delete a policy; what names it notifies its own channels',
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

const { list, create, read, remove } = thingRoutes(ALERT_POLICIES, DOC);

export const alertPolicyRoutes: readonly Route[] = [
  list,
  create,
  read,
  ...replacementRoutes(ALERT_POLICIES, DOC, {
    summary: 'Replace the whole policy; escalations under way keep the old one',
    patch: PATCHES.AlertPolicyPatch,
    patchExample: { name: 'On call, nights' },
  }),
  remove,
  route({
    endpoint: 'POST /v1/alert-policies/:policyId/simulate',
    operationId: 'simulateAlertPolicy',
    tag: 'Alerts',
    summary: 'List who would be notified when; nothing is sent',
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
