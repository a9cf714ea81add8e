/** The routes of alert channels (docs/channels.md). */

import { alertChannelBody, channelPreviewBody, previewBody } from '../../../schemas/alerts';
import { pageQuery } from '../../../schemas/queries';
import {
  alertChannel,
  alertChannelPage,
  alertChannelTypes,
  alertPreview,
  channelTest,
  newAlertChannel,
  rotatedSigningSecret,
} from '../../../schemas/responses/alerts';
import {
  ALERT_CHANNELS,
  createAlertChannel,
  getAlertChannel,
  listAlertChannels,
  replaceAlertChannel,
  rotateSigningSecret,
} from '../../../services/alerting/alert-channels';
import { describeChannelTypes } from '../../../services/alerting/describe-channel-types';
import { refuseOtherType } from '../../../services/alerting/save-alert-channel';
import {
  CHANNEL_TEST_DEADLINE_MS,
  previewAlert,
  previewChannel,
  testAlertChannel,
} from '../../../services/alerting/try-alert-channel';
import { PATCHES } from '../../openapi/named-shapes';
import { createVerbs } from '../../routing/object-routes';
import {
  createRoute,
  deleteRoute,
  getRoute,
  listRoute,
  patchRoute,
} from '../../routing/resource-routes';
import { okResponse } from '../../routing/response';
import { EMPTY_BODY, type Route, route } from '../../routing/route';

const CHANNEL = {
  tag: 'Alerts',
  path: '/v1/alert-channels',
  param: 'channelId',
  operand: 'AlertChannel',
  audit: 'alert_channel',
  the: 'The channel',
  one: 'an alert channel',
  many: 'alert channels',
  guide: 'docs/alerts.md#channels',
} as const;

const { body, remove } = createVerbs(ALERT_CHANNELS);

const FIELD_CODES = ['blocked_target', 'unknown_variable'] as const;

export const alertChannelRoutes: readonly Route[] = [
  listRoute(CHANNEL, {
    query: pageQuery,
    schema: alertChannelPage,
    list: ({ services, principal }, query) =>
      listAlertChannels(services, principal.accountId, query),
  }),
  createRoute(CHANNEL, {
    description:
      'Creates a channel; its fields depend on its `type`. A webhook returns its signing secret, which is never shown again. Send a test to see whether the channel works.',
    body: alertChannelBody,
    schema: newAlertChannel,
    codes: FIELD_CODES,
    example: { name: 'On call', type: 'email', emails: ['oncall@example.com'] },
    create: ({ services, principal }, body) => createAlertChannel(services, principal, body),
  }),
  route({
    endpoint: 'GET /v1/alert-channels/types',
    operationId: 'listAlertChannelTypes',
    tag: 'Alerts',
    summary: 'List the types of alert channels',
    description: 'Returns every type of channel with its fields, for forms.',
    guide: 'docs/channels.md',
    scope: 'read',
    responses: { 200: { description: 'The types', schema: alertChannelTypes } },
    handler: async () => okResponse(describeChannelTypes()),
  }),
  route({
    endpoint: 'POST /v1/alert-channels/preview',
    operationId: 'previewAlert',
    tag: 'Alerts',
    summary: 'Preview a message template',
    description:
      'Renders the template with a sample alert and returns the text. Nothing is sent or stored.',
    guide: 'docs/alert-wording.md',
    scope: 'write',
    audit: null,
    body: previewBody,
    responses: { 200: { description: 'What would be sent', schema: alertPreview } },
    example: { type: 'slack', template: { text: '{{ headline }} in {{ regions | join: ", " }}' } },
    handler: async ({ accountId }, { services, body }) =>
      okResponse(await previewAlert(services, accountId, body)),
  }),
  getRoute(CHANNEL, {
    description: 'Returns the channel. Its secret values are masked.',
    schema: alertChannel,
    read: ({ services, principal, id }) => getAlertChannel(services, principal.accountId, id),
  }),
  patchRoute(
    CHANNEL,
    {
      body,
      schema: alertChannel,
      codes: FIELD_CODES,
      effect:
        'The type cannot be changed. A masked value keeps the stored one while alerts go to the same scheme, host and port.',
      read: async ({ services, principal, id }, patch) => {
        const stored = await getAlertChannel(services, principal.accountId, id);
        refuseOtherType(stored, patch['type']);
        return stored;
      },
      replace: ({ services, principal, ...change }, body) =>
        replaceAlertChannel(services, principal, { ...change, body }),
    },
    {
      patch: PATCHES.AlertChannelPatch,
      example: { isDefault: true },
    },
  ),
  deleteRoute(CHANNEL, {
    description:
      'Deletes the channel. Rules of checks that name it ignore it from then on. While a policy names it, the response is 409 `in_use`.',
    codes: ['in_use'],
    remove,
  }),
  route({
    endpoint: 'POST /v1/alert-channels/:channelId/preview',
    operationId: 'previewAlertChannel',
    tag: 'Alerts',
    summary: 'Preview the messages of an alert channel',
    description:
      'Renders the template of the channel, or another one, with a sample alert. Nothing is sent or stored.',
    guide: 'docs/alert-wording.md',
    scope: 'write',
    audit: null,
    body: channelPreviewBody,
    isBodyOptional: true,
    responses: { 200: { description: 'What would be sent', schema: alertPreview } },
    handler: async ({ accountId }, { services, param, body }) => {
      const request = { id: param('channelId'), ...body };
      return okResponse(await previewChannel(services, accountId, request));
    },
  }),
  route({
    endpoint: 'POST /v1/alert-channels/:channelId/rotate-signing-secret',
    operationId: 'rotateSigningSecret',
    tag: 'Alerts',
    summary: 'Rotate the signing secret of a webhook',
    description:
      'Returns a new signing secret, which is never shown again. The previous secret is not used any more, so change your receiver at the same time.',
    guide: 'docs/webhooks.md#what-to-check',
    scope: 'write',
    audit: 'alert_channel.rotate_signing_secret',
    body: EMPTY_BODY,
    isBodyOptional: true,
    responses: { 200: { description: 'The secret, this once', schema: rotatedSigningSecret } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await rotateSigningSecret(services, accountId, param('channelId'))),
  }),
  route({
    endpoint: 'POST /v1/alert-channels/:channelId/test',
    operationId: 'testAlertChannel',
    tag: 'Alerts',
    summary: 'Test an alert channel',
    description:
      'Sends a test message now, once per recipient without retries, and returns the outcome.',
    guide: 'docs/alerts.md#channels',
    scope: 'write',
    audit: 'alert_channel.test',
    body: EMPTY_BODY,
    isBodyOptional: true,
    deadlineMs: CHANNEL_TEST_DEADLINE_MS + 3_000,
    load: 'test',
    responses: { 200: { description: 'The outcome at each recipient', schema: channelTest } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await testAlertChannel(services, accountId, param('channelId'))),
  }),
];
