/** What a request carries, as /v1 returns it: one of them at most, the others null. */
import type { RequestBody } from '../../contracts/definition';
import type { StepResponse } from '../../schemas/responses/resources';
import { toRecord } from './service-fields';

export function presentBody({
  body,
  form,
  multipart,
  graphql,
}: RequestBody): Pick<StepResponse, keyof RequestBody> {
  return {
    body,
    form: form === null || form === undefined ? null : toRecord(form),
    multipart: multipart ?? null,
    graphql: graphql ?? null,
  };
}
