/** Set-up, sessions, the account and its regions. */
import { apiKeyBody, sessionBody, setupBody } from '../../schemas/account';
import { pageQuery } from '../../schemas/queries';
import { createApiKey, listApiKeys, revokeApiKey } from '../../services/api-keys';
import { closeSession } from '../../services/close-session';
import type { Dependencies } from '../../services/dependencies';
import { findAccount } from '../../services/get-account';
import { getSession } from '../../services/get-session';
import { openSession } from '../../services/open-session';
import { listRegions } from '../../services/regions';
import { isSetUpRequired, setUp } from '../../services/set-up';
import { listAnswer, NO_CONTENT, okAnswer } from '../answer';
import { NO_BODY, NO_QUERY, publicRoute, type Route, route } from '../route';
import {
  endedSessionCookie,
  readSessionCookie,
  refuseForeignOrigin,
  sessionCookie,
} from '../session-cookie';

export interface AccountRouteOptions {
  readonly services: Dependencies;
  readonly publicUrl: string;
}

/** The routes that nobody needs credentials for. */
export function entryRoutes({ services, publicUrl }: AccountRouteOptions): readonly Route[] {
  return [
    publicRoute({
      endpoint: 'GET /v1/setup',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async () => okAnswer({ required: await isSetUpRequired(services) }),
    }),
    publicRoute({
      endpoint: 'POST /v1/setup',
      body: setupBody,
      query: NO_QUERY,
      handler: async ({ body, headers }) => {
        refuseForeignOrigin(headers, publicUrl);
        const { answer, sessionId } = await setUp(services, body);
        const cookie = sessionCookie(sessionId, publicUrl);
        const answerHeaders = { 'Set-Cookie': cookie, Location: '/v1/account' };
        return { status: 201, headers: answerHeaders, body: answer };
      },
    }),
    publicRoute({
      endpoint: 'POST /v1/session',
      body: sessionBody,
      query: NO_QUERY,
      handler: async ({ body, headers }) => {
        refuseForeignOrigin(headers, publicUrl);
        const { answer, sessionId } = await openSession(services, body);
        const cookie = sessionCookie(sessionId, publicUrl);
        return { status: 201, headers: { 'Set-Cookie': cookie }, body: answer };
      },
    }),
  ];
}

export function accountRoutes({ services, publicUrl }: AccountRouteOptions): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/session',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async (principal) => okAnswer(await getSession(services, principal)),
    }),
    route({
      endpoint: 'DELETE /v1/session',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { headers }) => {
        const sessionId = readSessionCookie(headers);
        if (sessionId !== null) await closeSession(services, accountId, sessionId);
        return { ...NO_CONTENT, headers: { 'Set-Cookie': endedSessionCookie(publicUrl) } };
      },
    }),
    route({
      endpoint: 'GET /v1/account',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }) => okAnswer(await findAccount(services, accountId)),
    }),
    route({
      endpoint: 'GET /v1/regions',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async () => okAnswer({ data: await listRegions(services), nextCursor: null }),
    }),
  ];
}

export function apiKeyRoutes({ services }: AccountRouteOptions): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/api-keys',
      scope: 'admin',
      body: NO_BODY,
      query: pageQuery,
      handler: async ({ accountId }, { query, url }) =>
        listAnswer(await listApiKeys(services, accountId, query), url),
    }),
    route({
      endpoint: 'POST /v1/api-keys',
      scope: 'admin',
      body: apiKeyBody,
      query: NO_QUERY,
      handler: async ({ accountId }, { body }) => {
        const key = await createApiKey(services, accountId, body);
        return { status: 201, headers: { Location: '/v1/api-keys' }, body: key };
      },
    }),
    route({
      endpoint: 'DELETE /v1/api-keys/:keyId',
      scope: 'admin',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) => {
        await revokeApiKey(services, accountId, param('keyId'));
        return NO_CONTENT;
      },
    }),
  ];
}
