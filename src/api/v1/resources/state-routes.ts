/** The routes for pause, resume and uptime, which monitors and scenarios share. */
import { pauseBody } from '../../../schemas/queries';
import { uptime } from '../../../schemas/responses/uptime';
import { uptimeQuery } from '../../../schemas/results/result-queries';
import { getUptime } from '../../../services/resources/get-uptime';
import type { KindTypes } from '../../../services/resources/kind';
import { pauseResource, resumeResource } from '../../../services/resources/resource-verbs';
import { okResponse, resourceResponse } from '../../routing/response';
import { EMPTY_BODY, type Route, route } from '../../routing/route';
import { buildNames, type RoutedKind } from './definition-routes';

export function stateRoutes<Types extends KindTypes>(routed: RoutedKind<Types>): readonly Route[] {
  return [pauseRoute(routed), resumeRoute(routed), uptimeRoute(routed)];
}

const AS_IT_IS = 'The resource as it is now';

function pauseRoute<Types extends KindTypes>(routed: RoutedKind<Types>): Route {
  const { facts, getKind } = routed;
  const { tag, path, param: idField, operand, audit, one, guide } = buildNames(routed);
  return route({
    endpoint: `POST ${path}/:${idField}/pause`,
    operationId: `pause${operand}`,
    tag,
    summary: `Pause ${one}`,
    description:
      'Stops the schedule until `until`, or until it is resumed. No alerts are sent, and the time does not count in uptime. Pausing again keeps the start of the pause.',
    guide,
    scope: 'write',
    audit: `${audit}.pause`,
    body: pauseBody,
    isBodyOptional: true,
    responses: { 200: { description: AS_IT_IS, schema: facts.response } },
    handler: async ({ accountId }, { services, param, body }) => {
      const pause = { untilMs: body.until, reason: body.reason };
      const request = { accountId, id: param(idField), pause };
      return resourceResponse(await pauseResource(services, getKind(services), request));
    },
  });
}

function resumeRoute<Types extends KindTypes>(routed: RoutedKind<Types>): Route {
  const { facts, getKind } = routed;
  const { tag, path, param: idField, operand, audit, one, guide } = buildNames(routed);
  return route({
    endpoint: `POST ${path}/:${idField}/resume`,
    operationId: `resume${operand}`,
    tag,
    summary: `Resume ${one}`,
    description:
      'Ends the pause. The schedule continues at the same times as before. Resuming an active one changes nothing.',
    guide,
    scope: 'write',
    audit: `${audit}.resume`,
    body: EMPTY_BODY,
    isBodyOptional: true,
    responses: { 200: { description: AS_IT_IS, schema: facts.response } },
    handler: async ({ accountId }, { services, param }) => {
      const target = { accountId, id: param(idField) };
      return resourceResponse(await resumeResource(services, getKind(services), target));
    },
  });
}

function uptimeRoute<Types extends KindTypes>(routed: RoutedKind<Types>): Route {
  const { getKind, words } = routed;
  const { tag, path, param: idField, operand, one } = buildNames(routed);
  return route({
    endpoint: `GET ${path}/:${idField}/uptime`,
    operationId: `get${operand}Uptime`,
    tag,
    summary: `Get the uptime of ${one}`,
    description: `Returns uptime, counts, ${words.measures} and incidents of a window or range, in total and in at most 300 parts.`,
    guide: 'docs/api/monitors.md#uptime',
    scope: 'read',
    query: uptimeQuery,
    responses: { 200: { description: 'Uptime', schema: uptime } },
    handler: async ({ accountId }, { services, param, query }) => {
      const id = param(idField);
      const measured = await getUptime(services, getKind(services), { ...query, accountId, id });
      return okResponse({ [idField]: id, ...measured });
    },
  });
}
