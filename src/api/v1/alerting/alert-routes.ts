/** Alert channels (docs/alerts.md). */

import { alertChannelBody, channelPreviewBody, previewBody } from '../../../schemas/alerts';
import { pageQuery } from '../../../schemas/queries';
import {
  alertChannel,
  alertChannelPage,
  alertChannelTypes,
  alertPreview,
  channelTest,
  newAlertChannel,
} from '../../../schemas/responses/alerts';
import { describeChannelTypes } from '../../../services/alerting/describe-channel-types';
import {
  deleteAlertChannel,
  getAlertChannel,
  listAlertChannels,
} from '../../../services/alerting/get-alert-channel';
import { READ_ONLY_FIELDS } from '../../../services/alerting/present-alert-channel';
import { previewAlert, previewChannel } from '../../../services/alerting/preview-alert';
import {
  changeAlertChannel,
  createAlertChannel,
  refuseOtherType,
} from '../../../services/alerting/save-alert-channel';
import {
  CHANNEL_TEST_DEADLINE_MS,
  testAlertChannel,
} from '../../../services/alerting/test-alert-channel';
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
import { EMPTY_BODY, NO_BODY, NO_QUERY, PATCH_BODY, type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';

const REPLACEMENT = replacementOf(alertChannelBody, READ_ONLY_FIELDS);

export const alertChannelRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/alert-channels',
    operationId: 'listAlertChannels',
    tag: 'Alerts',
    summary: 'List alert channels, newest first',
    scope: 'read',
    body: NO_BODY,
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: alertChannelPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listAlertChannels(services, accountId, query), url),
  }),
  route({
    endpoint: 'POST /v1/alert-channels',
    operationId: 'createAlertChannel',
    tag: 'Alerts',
    summary: 'Create a channel; its fields go by its type',
    scope: 'write',
    audit: 'alert_channel.create',
    body: alertChannelBody,
    query: NO_QUERY,
    responses: { 201: { description: 'The channel', schema: newAlertChannel } },
    codes: ['blocked_target', 'unknown_variable'],
    example: { name: 'On call', type: 'email', emails: ['oncall@example.com'] },
    handler: async ({ accountId }, { services, body }) => {
      const channel = await createAlertChannel(services, accountId, body);
      return createdResponse(channel, `/v1/alert-channels/${channel.id}`);
    },
  }),
  route({
    endpoint: 'GET /v1/alert-channels/types',
    operationId: 'listAlertChannelTypes',
    tag: 'Alerts',
    summary: 'List the types of channels and their fields',
    scope: 'read',
    body: NO_BODY,
    query: NO_QUERY,
    responses: { 200: { description: 'The types', schema: alertChannelTypes } },
    handler: async () => okResponse(describeChannelTypes()),
  }),
  route({
    endpoint: 'POST /v1/alert-channels/preview',
    operationId: 'previewAlert',
    tag: 'Alerts',
    summary: 'Try a template; nothing is sent',
    scope: 'write',
    audit: null,
    body: previewBody,
    query: NO_QUERY,
    responses: { 200: { description: 'What would be sent', schema: alertPreview } },
    example: { type: 'slack', template: { text: '{{ headline }} in {{ regions | join: ", " }}' } },
    handler: async (_principal, { services, body }) => okResponse(previewAlert(services, body)),
  }),
  route({
    endpoint: 'GET /v1/alert-channels/:channelId',
    operationId: 'getAlertChannel',
    tag: 'Alerts',
    summary: 'Read a channel',
    scope: 'read',
    body: NO_BODY,
    query: NO_QUERY,
    responses: { 200: { description: 'The channel', schema: alertChannel } },
    handler: async ({ accountId }, { services, param }) =>
      resourceResponse(await getAlertChannel(services, accountId, param('channelId'))),
  }),
  route({
    endpoint: 'PATCH /v1/alert-channels/:channelId',
    operationId: 'updateAlertChannel',
    tag: 'Alerts',
    summary: 'Change a channel; a webhook keeps its signing secret',
    scope: 'write',
    audit: 'alert_channel.update',
    body: PATCH_BODY,
    query: NO_QUERY,
    responses: { 200: { description: 'The channel', schema: alertChannel } },
    codes: ['blocked_target', 'unknown_variable', 'version_mismatch'],
    documentedBody: PATCHES.AlertChannelPatch,
    example: { isDefault: true },
    handler: async ({ accountId }, { services, param, body: patch, headers }) => {
      const id = param('channelId');
      const channel = await patchResource(services, {
        patch,
        shape: REPLACEMENT,
        accept: acceptVersion(headers['if-match']),
        read: async () => {
          const stored = await getAlertChannel(services, accountId, id);
          refuseOtherType(stored, patch['type']);
          return stored;
        },
        replace: (patched) => changeAlertChannel(services, accountId, { id, ...patched }),
      });
      return resourceResponse(channel);
    },
  }),
  route({
    endpoint: 'DELETE /v1/alert-channels/:channelId',
    operationId: 'deleteAlertChannel',
    tag: 'Alerts',
    summary: 'Delete a channel; rules that name it send nothing there',
    scope: 'write',
    audit: 'alert_channel.delete',
    body: NO_BODY,
    query: NO_QUERY,
    responses: DONE,
    codes: ['in_use', 'version_mismatch'],
    handler: async ({ accountId }, { services, param, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      await deleteAlertChannel(services, accountId, { id: param('channelId'), accept });
      return NO_CONTENT;
    },
  }),
  route({
    endpoint: 'POST /v1/alert-channels/:channelId/preview',
    operationId: 'previewAlertChannel',
    tag: 'Alerts',
    summary: 'Try the template of a channel, or another one; nothing is sent',
    scope: 'write',
    audit: null,
    body: channelPreviewBody,
    isBodyOptional: true,
    query: NO_QUERY,
    responses: { 200: { description: 'What would be sent', schema: alertPreview } },
    handler: async ({ accountId }, { services, param, body }) => {
      const request = { id: param('channelId'), ...body };
      return okResponse(await previewChannel(services, accountId, request));
    },
  }),
  route({
    endpoint: 'POST /v1/alert-channels/:channelId/test',
    operationId: 'testAlertChannel',
    tag: 'Alerts',
    summary: 'Send a test message now',
    scope: 'write',
    audit: 'alert_channel.test',
    body: EMPTY_BODY,
    isBodyOptional: true,
    query: NO_QUERY,
    deadlineMs: CHANNEL_TEST_DEADLINE_MS + 3_000,
    load: 'test',
    responses: { 200: { description: 'What became of it at each place', schema: channelTest } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await testAlertChannel(services, accountId, param('channelId'))),
  }),
];
