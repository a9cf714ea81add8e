/** The factors, passkeys and providers that prove the identity of the signed-in person. */

import { AppError } from '../../../platform/errors';
import {
  addedCodeApp,
  addedPasskey,
  factors,
  newCodeApp,
  passkey,
  passkeyOptions,
  providerRedirect,
  recoveryCodes,
} from '../../../schemas/responses/sign-in';
import {
  codeBody,
  identityBody,
  newPasskeyBody,
  passkeyNameBody,
  proofBody,
} from '../../../schemas/sign-in/bodies';
import type { Principal } from '../../../services/accounts/principal';
import {
  confirmCodeApp,
  listFactors,
  removeCodeApp,
  renewRecoveryCodes,
  startCodeApp,
} from '../../../services/factors/own-factors';
import {
  addPasskey,
  removeIdentity,
  removePasskey,
  renamePasskey,
  startPasskey,
} from '../../../services/factors/own-passkeys';
import { proveIdentity } from '../../../services/sign-in/prove-identity';
import { startFlow } from '../../../services/sign-in/provider-flow';
import { NO_CONTENT, okResponse } from '../../routing/response';
import { EMPTY_BODY, type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';
import { buildFlowCookie } from '../../server/session-cookie';

const TOKEN = 'from-the-response-before';
const CREDENTIAL = { id: 'AbCd', type: 'public-key', rawId: 'AbCd', response: {} };
const START_DEADLINE_MS = 8_000;
const SHARED = { tag: 'Sign-in', scope: 'read', isOpenWithoutFactor: true } as const;
const WITHOUT_BODY = { body: EMPTY_BODY, isBodyOptional: true, example: {} } as const;
const CHANGE_CODES = ['insufficient_scope', 'proof_required'] as const;

function ofUser<Action extends `${string}.${string}`>(action: Action) {
  return { action, resourceType: 'user' } as const;
}

/** Returns the audit entry of a changed password, factor or provider. It contains no secrets. */
function describeChange(
  { actor }: Principal,
  action: `${string}.${string}`,
  after: Readonly<Record<string, string>> | null = null,
) {
  return [{ ...ofUser(action), resourceId: actor.id, before: null, after }];
}

export const factorRoutes: readonly Route[] = [
  route({
    ...SHARED,
    endpoint: 'GET /v1/session/factors',
    operationId: 'getSignInFactors',
    summary: 'Get your sign-in factors',
    description:
      'Returns your password, authenticator app, passkeys and connected providers, without secrets.',
    guide: 'docs/api/accounts.md#sign-in',
    responses: { 200: { description: 'Of the person who asks', schema: factors } },
    codes: ['insufficient_scope'],
    handler: async (principal, { services }) => okResponse(await listFactors(services, principal)),
  }),
  route({
    ...SHARED,
    endpoint: 'POST /v1/session/proof',
    operationId: 'proveIdentity',
    summary: 'Prove your identity again',
    description:
      'Confirms the session for 15 minutes with your password or a second factor. Changes of factors and providers need this.',
    guide: 'docs/api/accounts.md#sign-in',
    audit: null,
    body: proofBody,
    responses: DONE,
    codes: ['insufficient_scope', 'rate_limited'],
    example: { password: 'choose-a-long-one-please' },
    handler: async (principal, { services, body, clientAddress: clientIp }) => {
      await proveIdentity(services, principal, { body, clientIp });
      return NO_CONTENT;
    },
  }),
  route({
    ...SHARED,
    ...WITHOUT_BODY,
    endpoint: 'POST /v1/session/factors/totp',
    operationId: 'startCodeApp',
    summary: 'Start to add an authenticator app',
    description:
      'Returns a secret for an authenticator app. The app is not in use before a code of it is confirmed.',
    guide: 'docs/api/accounts.md#sign-in',
    audit: null,
    responses: { 200: { description: 'For the app; not in use yet', schema: newCodeApp } },
    codes: CHANGE_CODES,
    handler: async (principal, { services }) => okResponse(await startCodeApp(services, principal)),
  }),
  route({
    ...SHARED,
    endpoint: 'POST /v1/session/factors/totp/confirm',
    operationId: 'confirmCodeApp',
    summary: 'Confirm an authenticator app',
    description:
      'Makes the app your second factor and ends your other sessions. If it is your first factor, the response contains recovery codes, which are never shown again.',
    guide: 'docs/api/accounts.md#sign-in',
    audit: ofUser('code_app.create'),
    body: codeBody,
    responses: { 200: { description: 'In use from now on', schema: addedCodeApp } },
    codes: [...CHANGE_CODES, 'rate_limited'],
    example: { token: TOKEN, code: '123456' },
    handler: async (principal, { services, body, clientAddress: clientIp }) => {
      const added = await confirmCodeApp(services, principal, { ...body, clientIp });
      return { ...okResponse(added), changes: describeChange(principal, 'code_app.create') };
    },
  }),
  route({
    ...SHARED,
    endpoint: 'DELETE /v1/session/factors/totp',
    operationId: 'removeCodeApp',
    summary: 'Remove your authenticator app',
    description:
      'Codes of the app stop working at once. The last factor cannot be removed while the account requires one (409 `in_use`).',
    guide: 'docs/api/accounts.md#sign-in',
    audit: ofUser('code_app.delete'),
    responses: DONE,
    codes: [...CHANGE_CODES, 'in_use', 'not_found'],
    handler: async (principal, { services }) => {
      await removeCodeApp(services, principal);
      return { ...NO_CONTENT, changes: describeChange(principal, 'code_app.delete') };
    },
  }),
  route({
    ...SHARED,
    ...WITHOUT_BODY,
    endpoint: 'POST /v1/session/factors/recovery-codes',
    operationId: 'renewRecoveryCodes',
    summary: 'Renew your recovery codes',
    description:
      'Returns new recovery codes, in this response only. The old codes stop working at once.',
    guide: 'docs/api/accounts.md#sign-in',
    audit: ofUser('recovery_codes.create'),
    responses: { 200: { description: 'In this one response only', schema: recoveryCodes } },
    codes: [...CHANGE_CODES, 'not_found'],
    handler: async (principal, { services }) => {
      const codes = await renewRecoveryCodes(services, principal);
      const changes = describeChange(principal, 'recovery_codes.create');
      return { ...okResponse({ recoveryCodes: [...codes] }), changes };
    },
  }),
  route({
    ...SHARED,
    ...WITHOUT_BODY,
    endpoint: 'POST /v1/session/factors/passkeys/options',
    operationId: 'startPasskey',
    summary: 'Start to add a passkey',
    description:
      'Returns options for `navigator.credentials.create` and a token. The passkey is not in use before it is added.',
    guide: 'docs/api/accounts.md#sign-in',
    audit: null,
    responses: {
      200: { description: 'For `navigator.credentials.create`', schema: passkeyOptions },
    },
    codes: [...CHANGE_CODES, 'not_found', 'limit_reached'],
    handler: async (principal, { services }) => okResponse(await startPasskey(services, principal)),
  }),
  route({
    ...SHARED,
    endpoint: 'POST /v1/session/factors/passkeys',
    operationId: 'addPasskey',
    summary: 'Add a passkey',
    description:
      'Stores the credential of the browser as a passkey and ends your other sessions. If it is your first factor, the response contains recovery codes, which are never shown again.',
    guide: 'docs/api/accounts.md#sign-in',
    audit: ofUser('passkey.create'),
    body: newPasskeyBody,
    responses: { 200: { description: 'In use from now on', schema: addedPasskey } },
    codes: [...CHANGE_CODES, 'key_taken'],
    example: { token: TOKEN, response: CREDENTIAL, name: 'Laptop' },
    handler: async (principal, { services, body }) => {
      const added = await addPasskey(services, principal, body);
      const changes = describeChange(principal, 'passkey.create', { name: body.name });
      return { ...okResponse(added), changes };
    },
  }),
  route({
    ...SHARED,
    endpoint: 'PATCH /v1/session/factors/passkeys/:passkeyId',
    operationId: 'renamePasskey',
    summary: 'Rename a passkey',
    description: 'Changes the name of one of your passkeys, and nothing else.',
    guide: 'docs/api/accounts.md#sign-in',
    audit: ofUser('passkey.update'),
    body: passkeyNameBody,
    responses: { 200: { description: 'The passkey', schema: passkey } },
    codes: ['insufficient_scope'],
    example: { name: 'Laptop' },
    handler: async (principal, { services, param, body }) => {
      const renamed = { id: param('passkeyId'), name: body.name };
      const changed = await renamePasskey(services, principal, renamed);
      const changes = describeChange(principal, 'passkey.update', { name: body.name });
      return { ...okResponse(changed), changes };
    },
  }),
  route({
    ...SHARED,
    endpoint: 'DELETE /v1/session/factors/passkeys/:passkeyId',
    operationId: 'removePasskey',
    summary: 'Remove a passkey',
    description:
      'The passkey stops working at once. The last factor cannot be removed while the account requires one (409 `in_use`).',
    guide: 'docs/api/accounts.md#sign-in',
    audit: ofUser('passkey.delete'),
    responses: DONE,
    codes: [...CHANGE_CODES, 'in_use'],
    handler: async (principal, { services, param }) => {
      await removePasskey(services, principal, param('passkeyId'));
      return { ...NO_CONTENT, changes: describeChange(principal, 'passkey.delete') };
    },
  }),
  route({
    ...SHARED,
    endpoint: 'POST /v1/session/identities',
    operationId: 'connectProvider',
    summary: 'Start to connect an identity provider',
    description:
      'Returns a URL to open in the browser. You can sign in through the provider once you have signed in there.',
    guide: 'docs/api/accounts.md#sign-in',
    audit: ofUser('identity.connect'),
    body: identityBody,
    deadlineMs: START_DEADLINE_MS,
    responses: { 200: { description: 'Where to go', schema: providerRedirect } },
    codes: [...CHANGE_CODES, 'not_found', 'rate_limited', 'unavailable'],
    example: { provider: 'google' },
    handler: async (principal, { services, body, clientAddress: clientIp }) => {
      const next = '/settings/factors';
      const asked = {
        providerId: body.provider,
        next,
        staySignedIn: false,
        clientIp,
        connect: principal,
      };
      const started = await startFlow(services, asked);
      if (started.kind === 'refused')
        throw new AppError('unavailable', 'The identity provider does not respond. Try again.');
      const cookie = buildFlowCookie(started.browserToken, services.publicUrl);
      const changes = describeChange(principal, 'identity.connect', { provider: body.provider });
      return { ...okResponse({ url: started.url }), headers: { 'Set-Cookie': cookie }, changes };
    },
  }),
  route({
    ...SHARED,
    endpoint: 'DELETE /v1/session/identities/:providerId',
    operationId: 'disconnectProvider',
    summary: 'Disconnect an identity provider',
    description:
      'You can no longer sign in through this provider. Your only way to sign in cannot be removed (409 `in_use`).',
    guide: 'docs/api/accounts.md#sign-in',
    audit: ofUser('identity.disconnect'),
    responses: DONE,
    codes: [...CHANGE_CODES, 'in_use'],
    handler: async (principal, { services, param }) => {
      const provider = param('providerId');
      await removeIdentity(services, principal, provider);
      const changes = describeChange(principal, 'identity.disconnect', { provider });
      return { ...NO_CONTENT, changes };
    },
  }),
];
