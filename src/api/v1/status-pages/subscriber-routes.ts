/** The routes of subscribers of a status page, and of the letters that they got (docs/api/status-pages.md). */

import type { SubscriberResponse } from '../../../schemas/responses/subscribers';
import {
  letterPage,
  noticePage,
  subscriber,
  subscriberPage,
} from '../../../schemas/responses/subscribers';
import {
  letterQuery,
  noticeQuery,
  subscriberBody,
  subscriberFileQuery,
  subscriberQuery,
} from '../../../schemas/status-pages/subscriber';
import type { RecordedChange } from '../../../services/accounts/audit-events';
import { listLetters, listNotices } from '../../../services/subscribers/notices';
import {
  addSubscriber,
  exportSubscribers,
  getSubscriber,
  listSubscribers,
  maskSubscriber,
  removeSubscriber,
  resumeSubscriber,
} from '../../../services/subscribers/subscribers';
import { listResponse, NO_CONTENT, okResponse } from '../../routing/response';
import { EMPTY_BODY, type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';
import type { Columns } from '../resources/csv-text';
import { FILE_RESPONSES, fileResponse } from '../resources/result-file';

const TAG = 'Subscribers';

const COLUMNS: Columns<SubscriberResponse> = {
  id: ({ id }) => id,
  type: ({ type }) => type,
  to: ({ to }) => to,
  items: ({ items }) => items?.join(' ') ?? null,
  state: ({ state }) => state,
  bounces: ({ bounces }) => bounces,
  addedBy: ({ addedBy }) => addedBy,
  createdAt: ({ createdAt }) => createdAt,
  confirmedAt: ({ confirmedAt }) => confirmedAt,
};

/** Removes the recipient from an audit entry. The audit trail is kept longer than the subscriber. */
function recorded(
  verb: 'create' | 'resume' | 'delete',
  before: SubscriberResponse | null,
  after: SubscriberResponse | null,
): readonly RecordedChange[] {
  const resourceType = 'status_page_subscriber';
  return [
    {
      action: `${resourceType}.${verb}`,
      resourceType,
      resourceId: (after ?? before)?.id ?? null,
      before: before && maskSubscriber(before),
      after: after && maskSubscriber(after),
    },
  ];
}

export const subscriberRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/status-pages/:pageId/subscribers',
    operationId: 'listSubscribers',
    tag: TAG,
    summary: 'List subscribers',
    description:
      'Returns the subscribers of the page with their number by state, newest first. Without write access, recipients are masked.',
    guide: 'docs/api/status-pages.md#subscribers',
    scope: 'read',
    query: subscriberQuery,
    responses: { 200: { description: 'A page', schema: subscriberPage } },
    handler: async (principal, { services, param, query, url }) =>
      listResponse(await listSubscribers(services, principal, param('pageId'), query), url),
  }),
  route({
    endpoint: 'GET /v1/status-pages/:pageId/subscribers/export',
    operationId: 'exportSubscribers',
    tag: TAG,
    summary: 'Export subscribers',
    description:
      'Streams all subscribers of the page as a file, newest first, with their email addresses.',
    guide: 'docs/api/status-pages.md#subscribers',
    scope: 'write',
    query: subscriberFileQuery,
    responses: FILE_RESPONSES,
    handler: async (principal, { services, param, query }) => {
      const id = param('pageId');
      const pages = await exportSubscribers(services, principal, id, query);
      return fileResponse({
        name: `subscribers-${id}`,
        format: query.format,
        columns: COLUMNS,
        pages,
      });
    },
  }),
  route({
    endpoint: 'POST /v1/status-pages/:pageId/subscribers',
    operationId: 'addSubscriber',
    tag: TAG,
    summary: 'Add a subscriber',
    description:
      'Subscribes a recipient. By mail, the person must confirm first, unless `confirmed` is true. A recipient who is already subscribed gets 409 `key_taken`.',
    guide: 'docs/api/status-pages.md#subscribers',
    scope: 'write',
    audit: 'status_page_subscriber.create',
    body: subscriberBody,
    responses: { 201: { description: 'The subscriber', schema: subscriber } },
    codes: ['key_taken', 'limit_reached', 'blocked_target'],
    example: { type: 'mail', to: 'reader@example.com', confirmed: true },
    handler: async (principal, { services, param, body }) => {
      const added = await addSubscriber(services, principal, param('pageId'), body);
      const path = `/v1/status-pages/${param('pageId')}/subscribers/${added.id}`;
      return {
        status: 201,
        headers: { Location: path },
        body: added,
        changes: recorded('create', null, added),
      };
    },
  }),
  route({
    endpoint: 'GET /v1/status-pages/:pageId/subscribers/:subscriberId',
    operationId: 'getSubscriber',
    tag: TAG,
    summary: 'Get a subscriber',
    description: 'Returns the subscriber. Without write access, the recipient is masked.',
    guide: 'docs/api/status-pages.md#subscribers',
    scope: 'read',
    responses: { 200: { description: 'The subscriber', schema: subscriber } },
    handler: async (principal, { services, param }) => {
      const name = { pageId: param('pageId'), id: param('subscriberId') };
      return okResponse(await getSubscriber(services, principal, name));
    },
  }),
  route({
    endpoint: 'POST /v1/status-pages/:pageId/subscribers/:subscriberId/resume',
    operationId: 'resumeSubscriber',
    tag: TAG,
    summary: 'Resume a subscriber',
    description:
      'Ends the suspension (state `resting`) after repeated refusals. Messages from the time of the suspension are not sent later.',
    guide: 'docs/api/status-pages.md#subscribers',
    scope: 'write',
    audit: 'status_page_subscriber.resume',
    body: EMPTY_BODY,
    isBodyOptional: true,
    responses: { 200: { description: 'The subscriber', schema: subscriber } },
    handler: async (principal, { services, param }) => {
      const name = { pageId: param('pageId'), id: param('subscriberId') };
      const woken = await resumeSubscriber(services, principal, name);
      return { ...okResponse(woken), changes: recorded('resume', null, woken) };
    },
  }),
  route({
    endpoint: 'DELETE /v1/status-pages/:pageId/subscribers/:subscriberId',
    operationId: 'deleteSubscriber',
    tag: TAG,
    summary: 'Delete a subscriber',
    description:
      'Deletes the recipient; messages that were not sent yet are dropped. The person can subscribe again.',
    guide: 'docs/api/status-pages.md#subscribers',
    scope: 'write',
    audit: 'status_page_subscriber.delete',
    responses: DONE,
    handler: async (principal, { services, param }) => {
      const name = { pageId: param('pageId'), id: param('subscriberId') };
      const removed = await removeSubscriber(services, principal, name);
      return { ...NO_CONTENT, changes: recorded('delete', removed, null) };
    },
  }),
  route({
    endpoint: 'GET /v1/status-pages/:pageId/notices',
    operationId: 'listStatusPageNotices',
    tag: TAG,
    summary: 'List notices to subscribers',
    description:
      'Returns one notice for each update of a post, newest first, with the number of its messages by status.',
    guide: 'docs/api/status-pages.md#subscribers',
    scope: 'read',
    query: noticeQuery,
    responses: { 200: { description: 'A page', schema: noticePage } },
    handler: async ({ accountId }, { services, param, query, url }) =>
      listResponse(await listNotices(services, { accountId, pageId: param('pageId') }, query), url),
  }),
  route({
    endpoint: 'GET /v1/status-pages/:pageId/letters',
    operationId: 'listStatusPageLetters',
    tag: TAG,
    summary: 'List messages to subscribers',
    description:
      'Returns single messages (letters) with their status, newest first. Records are kept for 90 days; recipients are masked.',
    guide: 'docs/api/status-pages.md#subscribers',
    scope: 'read',
    query: letterQuery,
    responses: { 200: { description: 'A page', schema: letterPage } },
    handler: async ({ accountId }, { services, param, query, url }) =>
      listResponse(await listLetters(services, { accountId, pageId: param('pageId') }, query), url),
  }),
];
