/** Alert policies (docs/alerts.md). */
import { type AlertPolicyBody, alertPolicyBody, simulateBody } from '../../../schemas/alert-policy';
import { pageQuery } from '../../../schemas/queries';
import {
  alertPolicy,
  alertPolicyPage,
  alertSimulation,
} from '../../../schemas/responses/alert-policies';
import {
  alertPolicyKind,
  createAlertPolicy,
  deleteAlertPolicy,
  POLICY_READ_ONLY_FIELDS,
  replaceAlertPolicy,
} from '../../../services/alerting/alert-policies';
import { simulatePolicy } from '../../../services/alerting/simulate-policy';
import { PATCHES } from '../../openapi/named-shapes';
import { replacementShape } from '../../routing/replace-body';
import {
  createRoute,
  createVerbs,
  deleteRoute,
  getRoute,
  listRoute,
  patchRoute,
  type Reading,
  type Replacing,
  replaceRoute,
} from '../../routing/resource-routes';
import { okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';

const POLICY = {
  tag: 'Alerts',
  path: '/v1/alert-policies',
  param: 'policyId',
  operand: 'AlertPolicy',
  operands: 'AlertPolicies',
  audit: 'alert_policy',
  the: 'The policy',
} as const;

const EXAMPLE = {
  key: 'on-call',
  name: 'On call',
  steps: [
    { afterMinutes: 0, notify: ['chat'] },
    { afterMinutes: 15, notify: ['pager'], repeat: { everyMinutes: 10, times: 3 } },
  ],
};

const { list, read } = createVerbs(alertPolicyKind);

const READ: Reading<typeof alertPolicy> = { summary: 'Read a policy', schema: alertPolicy, read };

const REPLACEMENT: Replacing<AlertPolicyBody, typeof alertPolicy> = {
  ...READ,
  summary: 'Replace the whole policy; escalations under way keep the old one',
  body: replacementShape(alertPolicyBody, POLICY_READ_ONLY_FIELDS),
  example: EXAMPLE,
  replace: ({ services, principal, ...change }, body) =>
    replaceAlertPolicy(services, principal.accountId, { ...change, body }),
};

export const alertPolicyRoutes: readonly Route[] = [
  listRoute(POLICY, {
    summary: 'List alert policies, newest first',
    query: pageQuery,
    schema: alertPolicyPage,
    list,
  }),
  createRoute(POLICY, {
    summary: 'Create a policy: whom to notify one after the other',
    body: alertPolicyBody,
    schema: alertPolicy,
    codes: ['key_taken', 'limit_reached'],
    example: EXAMPLE,
    create: ({ services, principal }, body) =>
      createAlertPolicy(services, principal.accountId, body),
  }),
  getRoute(POLICY, READ),
  replaceRoute(POLICY, REPLACEMENT),
  patchRoute(POLICY, REPLACEMENT, {
    patch: PATCHES.AlertPolicyPatch,
    example: { name: 'On call, nights' },
  }),
  deleteRoute(POLICY, {
    summary: 'Delete a policy; what names it notifies its own channels',
    codes: ['in_use'],
    remove: ({ services, principal, ...change }) =>
      deleteAlertPolicy(services, principal.accountId, change),
  }),
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
