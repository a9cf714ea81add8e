/** Creates, reads and deletes the pipelines that an account trusts. Their runs sign in through exchange-token.ts. */
import { isId } from '../../domain/definitions/ids';
import type { Pipeline } from '../../models/accounts/pipelines';
import { AppError } from '../../platform/errors';
import type { PipelineBody } from '../../schemas/pipelines/pipeline';
import type { PipelineResponse } from '../../schemas/responses/pipelines';
import { oneAtATime, planOf } from '../accounts/plan-limits';
import { makerOf, type Principal, requireScope } from '../accounts/principal';
import { refuseProblems } from '../lists/field-problems';
import { toInstant } from '../lists/instants';
import { type ListPage, type ListRequest, readList } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';

const PIPELINES_MAX = 100;

/**
 * A pipeline cannot have scopes that its creator does not have. Throws `plan_required`, `limit_reached`, and
 * `validation_failed` for an issuer that the operator does not trust.
 */
export async function createPipeline(
  needs: Dependencies,
  principal: Principal,
  body: PipelineBody,
): Promise<PipelineResponse> {
  const { accountId } = principal;
  const { stores, clock, newId } = needs;
  for (const scope of body.scopes) requireScope(principal, scope);
  const inForce = await planOf(needs, accountId);
  if (inForce?.bounds.keyLimits === null)
    throw new AppError('plan_required', 'API keys need the plan pro or above.');
  refuseUnknownIssuer(needs, body.issuer);
  const pipeline: Pipeline = {
    ...body,
    id: newId('pipeline'),
    accountId,
    createdAtMs: clock.now(),
    createdBy: await makerOf(needs, principal),
  };
  await oneAtATime(needs, { accountId, kind: 'pipelines' }, async () => {
    if ((await stores.pipelines.count(accountId)) >= PIPELINES_MAX)
      throw new AppError('limit_reached', `An account may have ${PIPELINES_MAX} pipelines.`);
    await stores.pipelines.create(accountId, pipeline);
  });
  return presentPipeline(pipeline);
}

/** Newest first. */
export async function listPipelines(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<PipelineResponse>> {
  return readList({ accountId, list: 'pipelines' }, request, {
    read: (query) => stores.pipelines.list(accountId, query),
    present: presentPipeline,
  });
}

/** Throws `not_found`. */
export async function getPipeline(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  id: string,
): Promise<PipelineResponse> {
  const pipeline = isId('pipeline', id) ? await stores.pipelines.find(accountId, id) : null;
  if (pipeline === null) throw new AppError('not_found', 'There is no pipeline with this id.');
  return presentPipeline(pipeline);
}

/** Also removes the API keys of its runs. */
export async function deletePipeline(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  id: string,
): Promise<void> {
  await getPipeline({ stores }, accountId, id);
  await stores.pipelines.remove(accountId, id);
  await stores.apiKeys.removeOfPipeline(accountId, id, Number.MAX_SAFE_INTEGER);
}

function refuseUnknownIssuer(
  { pipelineIssuers }: Pick<Dependencies, 'pipelineIssuers'>,
  issuer: string,
): void {
  if (pipelineIssuers.includes(issuer)) return;
  const message = `must be ${pipelineIssuers.join(' or ')}; an operator adds others to KEEPWATCH_PIPELINE_ISSUERS`;
  refuseProblems([{ path: 'issuer', code: 'invalid_value', message }]);
}

function presentPipeline({ accountId: _, createdAtMs, ...shown }: Pipeline): PipelineResponse {
  return { ...shown, createdAt: toInstant(createdAtMs) };
}
