/** What a request carries, as far as references in it are filled in. Pure. */
import type { JsonValue, RequestBody, WithAuth } from '../../contracts/definition';
import { authTexts } from '../definitions/auth';

/** Every text in which references are replaced, as one JSON value; names are left alone. */
export function filledInOf({
  body,
  form,
  multipart,
  graphql,
  auth,
}: RequestBody & WithAuth): JsonValue {
  return [
    authTexts(auth),
    body,
    (form ?? []).map(({ value }) => value),
    (multipart ?? []).map(({ value = '', fileName = '' }) => [value, fileName]),
    graphql === null || graphql === undefined ? null : [graphql.query, graphql.variables ?? {}],
  ];
}
