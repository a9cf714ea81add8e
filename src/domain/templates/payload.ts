/** What a request carries and proves, as far as references in it are filled in. Pure. */
import type { JsonValue, RequestBody, WithAuth } from '../../contracts/definition';
import type { WithTls } from '../../contracts/definitions/tls';
import { authTexts } from '../definitions/auth';
import { tlsTexts } from '../definitions/tls';

/** Every text in which references are replaced, as one JSON value; names are left alone. */
export function filledInOf({
  body,
  form,
  multipart,
  graphql,
  auth,
  tls,
}: RequestBody & WithAuth & WithTls): JsonValue {
  return [
    authTexts(auth),
    tlsTexts(tls),
    body,
    (form ?? []).map(({ value }) => value),
    (multipart ?? []).map(({ value = '', fileName = '' }) => [value, fileName]),
    graphql === null || graphql === undefined ? null : [graphql.query, graphql.variables ?? {}],
  ];
}
