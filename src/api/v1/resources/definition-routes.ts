/**
 * Routes that monitors and scenarios share: each translates between HTTP and one use case, and no
 * more. What only one kind can do stands in that kind's room.
 */
import { listQuery, pauseBody, uptimeQuery } from '../../../schemas/queries';
import type { Dependencies } from '../../../services/ports/dependencies';
import { createResource } from '../../../services/resources/create-resource';
import { deleteResource } from '../../../services/resources/delete-resource';
import { getResource } from '../../../services/resources/get-resource';
import { getUptime } from '../../../services/resources/get-uptime';
import type { Kind, KindTypes } from '../../../services/resources/kind';
import { listViews } from '../../../services/resources/list-views';
import { pauseResource, resumeResource } from '../../../services/resources/pause-resource';
import { replaceResource } from '../../../services/resources/replace-resource';
import { patchResource } from '../../routing/patch-resource';
import { acceptVersion } from '../../routing/preconditions';
import { replacementOf, saysEnabled } from '../../routing/replace-body';
import { listResponse, NO_CONTENT, okResponse, resourceResponse } from '../../routing/response';
import { EMPTY_BODY, NO_BODY, NO_QUERY, PATCH_BODY, type Route, route } from '../../routing/route';
import { allShownTo, shownTo } from './shown-definition';

/** The paths of a kind, and the name of its id in them and in responses. */
function pathsOf<Types extends KindTypes>({ idKind }: Kind<Types>) {
  const idField = `${idKind}Id` as const;
  return { list: `/v1/${idKind}s`, one: `/v1/${idKind}s/:${idField}`, idField } as const;
}

export function definitionRoutes<Types extends KindTypes>(
  services: Dependencies,
  kind: Kind<Types>,
): readonly Route[] {
  const { list, one, idField } = pathsOf(kind);
  return [
    route({
      endpoint: `GET ${list}`,
      scope: 'read',
      body: NO_BODY,
      query: listQuery,
      handler: async (principal, { query, url }) => {
        const page = await listViews(services, kind, { ...query, accountId: principal.accountId });
        return listResponse({ ...page, data: allShownTo(principal, page.data) }, url);
      },
    }),
    route({
      endpoint: `POST ${list}`,
      scope: 'write',
      body: kind.shape,
      query: NO_QUERY,
      handler: async ({ accountId }, { body }) => {
        const view = await createResource(services, kind, { accountId, body });
        return resourceResponse(view, { location: `${list}/${view.id}` });
      },
    }),
    route({
      endpoint: `GET ${one}`,
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async (principal, { param }) => {
        const target = { accountId: principal.accountId, id: param(idField) };
        return resourceResponse(shownTo(principal, await getResource(services, kind, target)));
      },
    }),
    ...changeRoutes(services, kind),
    route({
      endpoint: `DELETE ${one}`,
      scope: 'write',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param, headers }) => {
        const accept = acceptVersion(headers['if-match']);
        await deleteResource(services, kind, { accountId, id: param(idField), accept });
        return NO_CONTENT;
      },
    }),
  ];
}

function changeRoutes<Types extends KindTypes>(
  services: Dependencies,
  kind: Kind<Types>,
): readonly Route[] {
  const { one, idField } = pathsOf(kind);
  const shape = replacementOf(kind.shape, kind.readOnlyFields);
  return [
    route({
      endpoint: `PUT ${one}`,
      scope: 'write',
      body: shape,
      readStored: ({ accountId }, param) =>
        getResource(services, kind, { accountId, id: param(idField) }),
      query: NO_QUERY,
      handler: async ({ accountId }, { param, body, sent, headers }) => {
        const accept = acceptVersion(headers['if-match']);
        const isEnabled = saysEnabled(sent) ? body.enabled : null;
        const replacement = { accountId, id: param(idField), body, isEnabled, accept };
        return resourceResponse(await replaceResource(services, kind, replacement));
      },
    }),
    route({
      endpoint: `PATCH ${one}`,
      scope: 'write',
      body: PATCH_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param, body: patch, headers }) => {
        const target = { accountId, id: param(idField) };
        const view = await patchResource(services, {
          patch,
          shape,
          accept: acceptVersion(headers['if-match']),
          read: () => getResource(services, kind, target),
          replace: (patched) => {
            const isEnabled = saysEnabled(patch) ? patched.body.enabled : null;
            return replaceResource(services, kind, { ...target, ...patched, isEnabled });
          },
        });
        return resourceResponse(view);
      },
    }),
  ];
}

export function stateRoutes<Types extends KindTypes>(
  services: Dependencies,
  kind: Kind<Types>,
): readonly Route[] {
  const { one, idField } = pathsOf(kind);
  return [
    route({
      endpoint: `POST ${one}/pause`,
      scope: 'write',
      body: pauseBody,
      isBodyOptional: true,
      query: NO_QUERY,
      handler: async ({ accountId }, { param, body }) => {
        const pause = { untilMs: body.until, reason: body.reason };
        const request = { accountId, id: param(idField), pause };
        return resourceResponse(await pauseResource(services, kind, request));
      },
    }),
    route({
      endpoint: `POST ${one}/resume`,
      scope: 'write',
      body: EMPTY_BODY,
      isBodyOptional: true,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) =>
        resourceResponse(await resumeResource(services, kind, { accountId, id: param(idField) })),
    }),
    route({
      endpoint: `GET ${one}/uptime`,
      scope: 'read',
      body: NO_BODY,
      query: uptimeQuery,
      handler: async ({ accountId }, { param, query }) => {
        const id = param(idField);
        const uptime = await getUptime(services, kind, { ...query, accountId, id });
        return okResponse({ [idField]: id, ...uptime });
      },
    }),
  ];
}
