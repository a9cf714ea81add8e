/** Definition routes of monitors: each translates between HTTP and one use case, and no more. */
import { monitorBody } from '../../../schemas/monitor';
import { listQuery } from '../../../schemas/queries';
import { createMonitor } from '../../../services/monitors/create-monitor';
import { deleteMonitor } from '../../../services/monitors/delete-monitor';
import { getMonitor } from '../../../services/monitors/get-monitor';
import { listMonitors } from '../../../services/monitors/list-monitors';
import { MONITOR_READ_ONLY_FIELDS } from '../../../services/monitors/present-monitor';
import type { Dependencies } from '../../../services/ports/dependencies';
import { replaceMonitor } from '../../../services/resources/replace-resource';
import { listAnswer, NO_CONTENT, resourceAnswer } from '../../routing/answer';
import { patchResource } from '../../routing/patch-resource';
import { acceptVersion } from '../../routing/preconditions';
import { replacementOf, saysEnabled } from '../../routing/replace-body';
import { NO_BODY, NO_QUERY, PATCH_BODY, type Route, route } from '../../routing/route';
import { allShownTo, shownTo } from '../resources/shown-definition';

const monitorReplacement = replacementOf(monitorBody, MONITOR_READ_ONLY_FIELDS);

export function monitorRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/monitors',
      scope: 'read',
      body: NO_BODY,
      query: listQuery,
      handler: async (principal, { query, url }) => {
        const page = await listMonitors(services, principal.accountId, query);
        return listAnswer({ ...page, data: allShownTo(principal, page.data) }, url);
      },
    }),
    route({
      endpoint: 'POST /v1/monitors',
      scope: 'write',
      body: monitorBody,
      query: NO_QUERY,
      handler: async ({ accountId }, { body }) => {
        const monitor = await createMonitor(services, accountId, body);
        return resourceAnswer(monitor, { location: `/v1/monitors/${monitor.id}` });
      },
    }),
    route({
      endpoint: 'GET /v1/monitors/:monitorId',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async (principal, { param }) => {
        const monitor = await getMonitor(services, principal.accountId, param('monitorId'));
        return resourceAnswer(shownTo(principal, monitor));
      },
    }),
    ...changeRoutes(services),
    route({
      endpoint: 'DELETE /v1/monitors/:monitorId',
      scope: 'write',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param, headers }) => {
        const accept = acceptVersion(headers['if-match']);
        await deleteMonitor(services, accountId, { id: param('monitorId'), accept });
        return NO_CONTENT;
      },
    }),
  ];
}

function changeRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'PUT /v1/monitors/:monitorId',
      scope: 'write',
      body: monitorReplacement,
      readStored: ({ accountId }, param) => getMonitor(services, accountId, param('monitorId')),
      query: NO_QUERY,
      handler: async ({ accountId }, { param, body, sent, headers }) => {
        const accept = acceptVersion(headers['if-match']);
        const isEnabled = saysEnabled(sent) ? body.enabled : null;
        const request = { id: param('monitorId'), body, isEnabled, accept };
        return resourceAnswer(await replaceMonitor(services, accountId, request));
      },
    }),
    route({
      endpoint: 'PATCH /v1/monitors/:monitorId',
      scope: 'write',
      body: PATCH_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param, body: patch, headers }) => {
        const id = param('monitorId');
        const monitor = await patchResource(services, {
          patch,
          shape: monitorReplacement,
          accept: acceptVersion(headers['if-match']),
          read: () => getMonitor(services, accountId, id),
          replace: (patched) => {
            const isEnabled = saysEnabled(patch) ? patched.body.enabled : null;
            return replaceMonitor(services, accountId, { id, ...patched, isEnabled });
          },
        });
        return resourceAnswer(monitor);
      },
    }),
  ];
}
