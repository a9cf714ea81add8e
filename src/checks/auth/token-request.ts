/** Builds the request to a token URL (RFC 6749 §4.3 and §4.4). Sends nothing itself. */
import type { Auth, OAuthGrant } from '../../contracts/definitions/auth';
import { isSentInClear } from '../../domain/definitions/private-names';
import { renderText, type TemplateValues } from '../../domain/templates/template';
import type { WireRequest } from '../http/write-request';
import { renderAddress } from '../render-request';
import { unwrapRendered } from '../rendered';
import { createAuthFailure } from './token-source';

type OAuth = Extract<Auth, { readonly type: 'oauth2' }>;

const GRANT_TYPES: Readonly<Record<OAuthGrant, string>> = {
  clientCredentials: 'client_credentials',
  password: 'password',
};

/**
 * Builds the request. Throws StepFailure if a text cannot be filled in, or if credentials would be sent unencrypted
 * over the internet.
 */
export function renderTokenRequest(
  auth: OAuth,
  values: TemplateValues,
  userAgent: string,
): WireRequest {
  const { tokenUrl, sendAs } = auth;
  const render = (text: string): string => unwrapRendered(renderText(text, values));
  const url = renderAddress(tokenUrl, values);
  if (isSentInClear(url))
    throw createAuthFailure(
      `The token URL must be https, because ${url.host} is not a private host.`,
    );
  const [id, secret] = [render(auth.clientId), render(auth.clientSecret)];
  const form = new URLSearchParams({ grant_type: GRANT_TYPES[auth.grant] });
  const given = {
    scope: auth.scope,
    audience: auth.audience,
    ...(auth.grant === 'password' && { username: auth.user, password: auth.password }),
    ...auth.extra,
  };
  for (const [name, text] of Object.entries(given)) {
    if (text !== undefined) form.set(name, render(text));
  }
  if (sendAs === 'body') {
    form.set('client_id', id);
    if (secret !== '') form.set('client_secret', secret);
  }
  return {
    method: 'POST',
    url,
    headers: [
      { name: 'user-agent', value: userAgent },
      { name: 'accept', value: 'application/json' },
      { name: 'content-type', value: 'application/x-www-form-urlencoded' },
      ...(sendAs === 'header' ? [{ name: 'authorization', value: basic(id, secret) }] : []),
    ],
    body: Buffer.from(form.toString()),
  };
}

/** Builds basic credentials from the form-encoded client ID and secret (RFC 6749 §2.3.1). */
function basic(id: string, secret: string): string {
  const [spelledId, spelledSecret] = [id, secret].map((text) =>
    new URLSearchParams({ text }).toString().slice('text='.length),
  );
  return `Basic ${Buffer.from(`${spelledId}:${spelledSecret}`).toString('base64')}`;
}
