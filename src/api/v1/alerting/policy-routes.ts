/** Alert policies (docs/alerts.md). */
import { alertPolicyBody, simulateBody } from '../../../schemas/alert-policy';
import { pageQuery } from '../../../schemas/queries';
import {
  alertPolicy,
  alertPolicyPage,
  alertSimulation,
} from '../../../schemas/responses/alert-policies';
import {
  createAlertPolicy,
  deleteAlertPolicy,
  getAlertPolicy,
  listAlertPolicies,
  POLICY_READ_ONLY_FIELDS,
  replaceAlertPolicy,
} from '../../../services/alerting/alert-policies';
import { simulatePolicy } from '../../../services/alerting/simulate-policy';
import { PATCHES } from '../../openapi/named-shapes';
import { patchResource } from '../../routing/patch-resource';
import { acceptVersion } from '../../routing/preconditions';
import { replacementOf } from '../../routing/replace-body';
import {
  createdResponse,
  listResponse,
  NO_CONTENT,
  okResponse,
  resourceResponse,
} from '../../routing/response';
import { NO_BODY, NO_QUERY, PATCH_BODY, type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';

const REPLACEMENT = replacementOf(alertPolicyBody, POLICY_READ_ONLY_FIELDS);

const EXAMPLE = {
  key: 'on-call',
  name: 'On call',
  steps: [
    { afterMinutes: 0, notify: ['chat'] },
    { afterMinutes: 15, notify: ['pager'], repeat: { everyMinutes: 10, times: 3 } },
  ],
};

export const alertPolicyRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/alert-policies',
    operationId: 'listAlertPolicies',
    tag: 'Alerts',
    summary: 'List alert policies, newest first',
    scope: 'read',
    body: NO_BODY,
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: alertPolicyPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listAlertPolicies(services, accountId, query), url),
  }),
  route({
    endpoint: 'POST /v1/alert-policies',
    operationId: 'createAlertPolicy',
    tag: 'Alerts',
    summary: 'Create a policy: whom to notify one after the other',
    scope: 'write',
    audit: 'alert_policy.create',
    body: alertPolicyBody,
    query: NO_QUERY,
    responses: { 201: { description: 'The policy', schema: alertPolicy } },
    codes: ['key_taken', 'limit_reached'],
    example: EXAMPLE,
    handler: async ({ accountId }, { services, body }) => {
      const policy = await createAlertPolicy(services, accountId, body);
      return createdResponse(policy, `/v1/alert-policies/${policy.id}`);
    },
  }),
  route({
    endpoint: 'GET /v1/alert-policies/:policyId',
    operationId: 'getAlertPolicy',
    tag: 'Alerts',
    summary: 'Read a policy',
    scope: 'read',
    body: NO_BODY,
    query: NO_QUERY,
    responses: { 200: { description: 'The policy', schema: alertPolicy } },
    handler: async ({ accountId }, { services, param }) =>
      resourceResponse(await getAlertPolicy(services, accountId, param('policyId'))),
  }),
  route({
    endpoint: 'PUT /v1/alert-policies/:policyId',
    operationId: 'replaceAlertPolicy',
    tag: 'Alerts',
    summary: 'Replace the whole policy; escalations under way keep the old one',
    scope: 'write',
    audit: 'alert_policy.put',
    body: REPLACEMENT,
    readStored: ({ accountId }, { services, param }) =>
      getAlertPolicy(services, accountId, param('policyId')),
    query: NO_QUERY,
    responses: { 200: { description: 'The policy', schema: alertPolicy } },
    codes: ['version_mismatch'],
    example: EXAMPLE,
    handler: async ({ accountId }, { services, param, body, headers }) => {
      const request = { id: param('policyId'), body, accept: acceptVersion(headers['if-match']) };
      return resourceResponse(await replaceAlertPolicy(services, accountId, request));
    },
  }),
  route({
    endpoint: 'PATCH /v1/alert-policies/:policyId',
    operationId: 'updateAlertPolicy',
    tag: 'Alerts',
    summary: 'Change single fields (JSON merge patch, RFC 7396)',
    scope: 'write',
    audit: 'alert_policy.update',
    body: PATCH_BODY,
    query: NO_QUERY,
    responses: { 200: { description: 'The policy', schema: alertPolicy } },
    codes: ['version_mismatch'],
    documentedBody: PATCHES.AlertPolicyPatch,
    example: { name: 'On call, nights' },
    handler: async ({ accountId }, { services, param, body: patch, headers }) => {
      const id = param('policyId');
      const policy = await patchResource(services, {
        patch,
        shape: REPLACEMENT,
        accept: acceptVersion(headers['if-match']),
        read: () => getAlertPolicy(services, accountId, id),
        replace: (patched) => replaceAlertPolicy(services, accountId, { id, ...patched }),
      });
      return resourceResponse(policy);
    },
  }),
  route({
    endpoint: 'DELETE /v1/alert-policies/:policyId',
    operationId: 'deleteAlertPolicy',
    tag: 'Alerts',
    summary: 'Delete a policy; what names it notifies its own channels',
    scope: 'write',
    audit: 'alert_policy.delete',
    body: NO_BODY,
    query: NO_QUERY,
    responses: DONE,
    codes: ['version_mismatch', 'in_use'],
    handler: async ({ accountId }, { services, param, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      await deleteAlertPolicy(services, accountId, { id: param('policyId'), accept });
      return NO_CONTENT;
    },
  }),
  route({
    endpoint: 'POST /v1/alert-policies/:policyId/simulate',
    operationId: 'simulateAlertPolicy',
    tag: 'Alerts',
    summary: 'List who would be notified when; nothing is sent',
    scope: 'read',
    audit: null,
    body: simulateBody,
    query: NO_QUERY,
    responses: { 200: { description: 'Who would be notified', schema: alertSimulation } },
    example: { at: '2026-11-21T22:30:00.000Z', kind: 'failure' },
    handler: async ({ accountId }, { services, param, body }) => {
      const { at: atMs, ...given } = body;
      const request = { id: param('policyId'), atMs, ...given };
      return okResponse(await simulatePolicy(services, accountId, request));
    },
  }),
];
