/** Sign-in without a password: identity providers, second factors, passkeys, and the link for owners. */

import { passkeyOptions, signInOptions } from '../../../schemas/responses/sign-in';
import {
  callbackQuery,
  logoutForm,
  ownerLinkBody,
  passkeyOptionsBody,
  passkeySignInBody,
  secondFactorBody,
  startQuery,
} from '../../../schemas/sign-in/bodies';
import { hashToken } from '../../../services/accounts/api-key-format';
import type { Dependencies } from '../../../services/ports/dependencies';
import { authenticateSession } from '../../../services/sessions/authenticate';
import {
  challengePasskey,
  proveSecondFactor,
  signInWithPasskey,
} from '../../../services/sign-in/finish-sign-in';
import { signInByOwnerLink } from '../../../services/sign-in/owner-link';
import { finishFlow, type Returned, startFlow } from '../../../services/sign-in/provider-flow';
import { logOutByProvider } from '../../../services/sign-in/provider-logout';
import { listSignInOptions } from '../../../services/sign-in/sign-in-options';
import { okResponse, type RouteResponse } from '../../routing/response';
import { publicRoute, type RawInput, type Route } from '../../routing/route';
import {
  buildExpiredFlowCookie,
  buildFlowCookie,
  buildSessionCookie,
  isFromOwnOrigin,
  readFlowCookie,
  readSessionCookie,
  refuseForeignOrigin,
} from '../../server/session-cookie';
import {
  readOrigin,
  readOwnOrigin,
  SESSION_RESPONSES,
  sessionResponse,
  toActor,
} from '../accounts/session-response';

const TOKEN = 'from-the-response-before';
const CREDENTIAL = { id: 'AbCd', type: 'public-key', rawId: 'AbCd', response: {} };
const SIGN_IN_CODES = ['invalid_token', 'insufficient_scope', 'rate_limited'] as const;
/** Time limits for routes that read documents of a provider. The provider may need three seconds for each document. */
const START_DEADLINE_MS = 8_000;
const CALLBACK_DEADLINE_MS = 20_000;
/** Redirects the browser to the next page. The sign-in page shows the problems of a sign-in. */
const REDIRECT = { 303: { description: 'To the next page', isLocated: true } } as const;
const AUDITED_SIGN_IN = { action: 'session.open', resourceType: 'user' } as const;

/** Adds to the audit trail how the person signed in. */
function describeOpening(
  response: ReturnType<typeof sessionResponse>,
  by: string,
): typeof response {
  if (response.status !== 201) return response;
  const resourceId = response.actedAs?.actor.id ?? null;
  const change = { ...AUDITED_SIGN_IN, resourceId, before: null, after: { by } };
  return { ...response, changes: [change] };
}

export const signInRoutes: readonly Route[] = [
  publicRoute({
    endpoint: 'GET /v1/sign-in/options',
    operationId: 'getSignInOptions',
    tag: 'Sign-in',
    summary: 'Get the ways to sign in',
    description:
      'Returns whether passwords and passkeys work, and the identity providers with the URLs that start a sign-in.',
    guide: 'docs/api/accounts.md#sign-in',
    responses: {
      200: { description: 'Everything that the sign-in page offers', schema: signInOptions },
    },
    handler: async ({ services }) => okResponse(listSignInOptions(services)),
  }),
  publicRoute({
    endpoint: 'POST /v1/session/second-factor',
    operationId: 'proveSecondFactor',
    tag: 'Sign-in',
    summary: 'Sign in with a second factor',
    description:
      'Finishes a sign-in that needs a second factor and opens the session. Send the token of the first step and one of `code`, `recoveryCode` and `passkey`.',
    guide: 'docs/api/accounts.md#sign-in',
    audit: AUDITED_SIGN_IN,
    body: secondFactorBody,
    responses: SESSION_RESPONSES,
    codes: SIGN_IN_CODES,
    example: { token: TOKEN, code: '123456' },
    handler: async ({ services, body, headers, clientAddress }) => {
      const origin = readOwnOrigin(services, { headers, clientAddress });
      const opened = await proveSecondFactor(services, body, origin);
      return describeOpening(sessionResponse(services, opened), 'second_factor');
    },
  }),
  publicRoute({
    endpoint: 'POST /v1/sign-in/passkey/options',
    operationId: 'createPasskeyChallenge',
    tag: 'Sign-in',
    summary: 'Create a passkey challenge',
    description:
      'Returns options for `navigator.credentials.get` and a token. With the token of a second step in the body, the options list the passkeys of that person.',
    guide: 'docs/api/accounts.md#sign-in',
    audit: null,
    body: passkeyOptionsBody,
    isBodyOptional: true,
    responses: { 200: { description: 'For `navigator.credentials.get`', schema: passkeyOptions } },
    codes: ['not_found', ...SIGN_IN_CODES],
    example: {},
    handler: async ({ services, body, headers, clientAddress: clientIp }) => {
      refuseForeignOrigin(headers, services.publicUrl);
      return okResponse(await challengePasskey(services, { token: body.token, clientIp }));
    },
  }),
  publicRoute({
    endpoint: 'POST /v1/sign-in/passkey/verify',
    operationId: 'signInWithPasskey',
    tag: 'Sign-in',
    summary: 'Sign in with a passkey',
    description:
      'Opens a session for the owner of the passkey, without a password. Send the token of the challenge and the credential of the browser.',
    guide: 'docs/api/accounts.md#sign-in',
    audit: AUDITED_SIGN_IN,
    body: passkeySignInBody,
    responses: SESSION_RESPONSES,
    codes: ['not_found', ...SIGN_IN_CODES],
    example: { token: TOKEN, response: CREDENTIAL },
    handler: async ({ services, body, headers, clientAddress }) => {
      const origin = readOwnOrigin(services, { headers, clientAddress });
      const opened = await signInWithPasskey(services, body, origin);
      return describeOpening(sessionResponse(services, opened), 'passkey');
    },
  }),
  publicRoute({
    endpoint: 'POST /v1/sign-in/owner-link',
    operationId: 'signInByOwnerLink',
    tag: 'Sign-in',
    summary: 'Sign in with an owner link',
    description:
      'Opens a session with the token that `npm run doctor -- owner-link` printed, for owners who cannot sign in otherwise.',
    guide: 'docs/self-hosting.md#sign-in-through-an-identity-provider',
    audit: AUDITED_SIGN_IN,
    body: ownerLinkBody,
    responses: SESSION_RESPONSES,
    codes: SIGN_IN_CODES,
    example: { token: 'from-the-link' },
    handler: async ({ services, body, headers, clientAddress }) => {
      const origin = readOwnOrigin(services, { headers, clientAddress });
      const opened = await signInByOwnerLink(services, body.token, origin);
      return describeOpening(sessionResponse(services, opened), 'owner_link');
    },
  }),
];

export const providerRoutes: readonly Route[] = [
  publicRoute({
    endpoint: 'GET /v1/sign-in/oidc/:providerId/start',
    operationId: 'startProviderSignIn',
    tag: 'Sign-in',
    summary: 'Start a sign-in at an identity provider',
    description:
      'Redirects the browser to the identity provider. This is a page for browsers, not for programs.',
    guide: 'docs/self-hosting.md#sign-in-through-an-identity-provider',
    query: startQuery,
    deadlineMs: START_DEADLINE_MS,
    responses: REDIRECT,
    codes: ['not_found', 'rate_limited'],
    handler: async ({ services, param, query, headers, clientAddress: clientIp }) => {
      const providerId = param('providerId');
      // A link on another site cannot make the choice for the person.
      const staySignedIn =
        query.staySignedIn !== undefined && isFromOwnOrigin(headers, services.publicUrl) !== false;
      const asked = { providerId, next: query.next, staySignedIn, clientIp, connect: null };
      const started = await startFlow(services, asked);
      if (started.kind === 'refused') return redirect(formatFailure(started));
      const cookie = buildFlowCookie(started.browserToken, services.publicUrl);
      return { status: 303, headers: { Location: started.url, 'Set-Cookie': cookie } };
    },
  }),
  publicRoute({
    endpoint: 'GET /v1/sign-in/oidc/:providerId/callback',
    operationId: 'finishProviderSignIn',
    tag: 'Sign-in',
    summary: 'Finish a sign-in at an identity provider',
    description:
      'Reads the response of the identity provider, opens a session and redirects to the next page. If the sign-in fails, it redirects to the sign-in page with the reason.',
    guide: 'docs/self-hosting.md#sign-in-through-an-identity-provider',
    audit: AUDITED_SIGN_IN,
    query: callbackQuery,
    deadlineMs: CALLBACK_DEADLINE_MS,
    responses: REDIRECT,
    codes: ['not_found', 'rate_limited'],
    handler: async ({ services, param, url, headers, clientAddress }) => {
      const { publicUrl } = services;
      const providerId = param('providerId');
      const returned = await finishFlow(services, {
        providerId,
        url,
        browserToken: readFlowCookie(headers, publicUrl),
        personId: await findPersonId(services, headers),
        origin: readOrigin({ headers, clientAddress }),
      });
      return respondToReturn(services, returned, providerId);
    },
  }),
  publicRoute({
    endpoint: 'POST /v1/sign-in/oidc/:providerId/logout',
    operationId: 'logOutByProvider',
    tag: 'Sign-in',
    summary: 'End sessions for an identity provider',
    description:
      'Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout). Identity providers call this operation.',
    guide: 'docs/self-hosting.md#sign-in-through-an-identity-provider',
    audit: { action: 'session.close', resourceType: 'user' },
    body: logoutForm,
    isForm: true,
    deadlineMs: START_DEADLINE_MS,
    responses: { 200: { description: 'The sessions have ended' } },
    codes: ['not_found', 'rate_limited'],
    example: { logout_token: 'eyJhbGciOiJSUzI1NiJ9…' },
    handler: async ({ services, param, body, clientAddress: clientIp }) => {
      const providerId = param('providerId');
      const token = body.logout_token;
      const [user] = await logOutByProvider(services, { providerId, token, clientIp });
      if (user === undefined) return { status: 200 };
      const by = { action: 'session.close', resourceType: 'user', resourceId: user.id } as const;
      const changes = [{ ...by, before: null, after: { by: providerId } }];
      return { status: 200, actedAs: toActor(user), changes };
    },
  }),
];

type Redirect = RouteResponse & { readonly status: 303; readonly body?: undefined };

function redirect(path: string, headers: Readonly<Record<string, string>> = {}): Redirect {
  return { status: 303, headers: { ...headers, Location: path } };
}

function formatFailure({ reason, next }: { readonly reason: string; readonly next: string }) {
  return `/login?${new URLSearchParams({ failed: reason, next }).toString()}`;
}

/** Returns the id of the person who is signed in with this browser. null means that no one is signed in. */
async function findPersonId(
  services: Dependencies,
  headers: RawInput['headers'],
): Promise<string | null> {
  const sessionId = readSessionCookie(headers, services.publicUrl);
  if (sessionId === null) return null;
  const principal = await authenticateSession(services, hashToken(sessionId)).catch(() => null);
  return principal?.personId ?? null;
}

function respondToReturn(
  { publicUrl }: Pick<Dependencies, 'publicUrl'>,
  returned: Returned,
  providerId: string,
): Redirect {
  const ended = { 'Set-Cookie': buildExpiredFlowCookie(publicUrl) };
  if (returned.kind === 'refused') return redirect(formatFailure(returned), ended);
  if (returned.kind === 'connected') return redirect(returned.next, ended);
  const { outcome, next, changes, actedAs: by } = returned;
  if (outcome.kind === 'factor_asked') {
    const { token, methods } = outcome.response.secondFactor;
    // The token comes after the #, so that no server and no log sees it.
    const step = new URLSearchParams({ token, methods: methods.join(',') });
    const page = `/login?${new URLSearchParams({ next }).toString()}#${step.toString()}`;
    return { ...redirect(page, ended), actedAs: by, changes };
  }
  const opening = { ...AUDITED_SIGN_IN, resourceId: by.actor.id, before: null };
  return {
    ...redirect(next, { 'Set-Cookie': buildSessionCookie(outcome, publicUrl) }),
    actedAs: by,
    changes: [{ ...opening, after: { by: providerId } }, ...changes],
  };
}
