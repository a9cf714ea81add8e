/** Lists the parts of a request's body and credentials in which references are replaced. Pure. */
import type { Auth, JsonValue, RequestBody, WithAuth } from '../../contracts/definition';
import type { Tls, WithTls } from '../../contracts/definitions/tls';

/** Returns every text in which references are replaced. Names are left out. */
export function listFilledIn({
  body,
  form,
  multipart,
  graphql,
  auth,
  tls,
}: RequestBody & WithAuth & WithTls): JsonValue {
  return [
    listAuthTexts(auth),
    listTlsTexts(tls),
    body,
    (form ?? []).map(({ value }) => value),
    (multipart ?? []).map(({ value = '', fileName = '' }) => [value, fileName]),
    graphql === null || graphql === undefined ? null : [graphql.query, graphql.variables ?? {}],
  ];
}

/** Returns every text of the authentication in which references are replaced, as one JSON value. */
export function listAuthTexts(auth: Auth | undefined): JsonValue {
  return Object.values<JsonValue | undefined>({ ...auth }).filter((text) => text !== undefined);
}

/** Returns every text of the TLS settings that may contain a reference to a secret, as one JSON value. */
export function listTlsTexts(tls: Tls | undefined): JsonValue {
  const { trust, certificate, key, passphrase } = tls ?? {};
  const ca = typeof trust === 'object' && 'ca' in trust ? trust.ca : undefined;
  return [ca, certificate, key, passphrase].filter((text) => text !== undefined);
}
