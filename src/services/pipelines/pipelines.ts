/**
 * Creates, reads, changes and deletes the pipelines that an account trusts. The file exchange-token.ts gives API keys
 * to their runs.
 */
import { isId } from '../../domain/definitions/ids';
import type { Pipeline } from '../../models/accounts/pipelines';
import { isSameJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import type { PipelineBody } from '../../schemas/pipelines/pipeline';
import type { PipelineResponse } from '../../schemas/responses/pipelines';
import { readPlan, runExclusively } from '../accounts/plan-limits';
import { findMaker, type Principal, requireScope } from '../accounts/principal';
import { refuseProblems } from '../lists/field-problems';
import { toInstant } from '../lists/instants';
import { type ListPage, type ListRequest, readList } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';

type Reading = Pick<Dependencies, 'stores'>;

const PIPELINES_MAX = 100;

/**
 * Creates a pipeline. A pipeline cannot have scopes that its creator does not have. Throws `plan_required` and
 * `limit_reached`. Throws `validation_failed` for an untrusted issuer.
 */
export async function createPipeline(
  needs: Dependencies,
  principal: Principal,
  body: PipelineBody,
): Promise<PipelineResponse> {
  const { accountId } = principal;
  const { stores, clock, newId } = needs;
  await requireMayTrust(needs, principal, body);
  const pipeline: Pipeline = {
    ...body,
    id: newId('pipeline'),
    accountId,
    createdAtMs: clock.now(),
    createdBy: await findMaker(needs, principal),
  };
  await runExclusively(needs, { accountId, kind: 'pipelines' }, async () => {
    if ((await stores.pipelines.count(accountId)) >= PIPELINES_MAX)
      throw new AppError(
        'limit_reached',
        `An account may have at most ${PIPELINES_MAX} pipelines.`,
      );
    await stores.pipelines.create(accountId, pipeline);
  });
  return presentPipeline(pipeline);
}

/** Lists the pipelines, newest first. */
export async function listPipelines(
  { stores }: Reading,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<PipelineResponse>> {
  return readList({ accountId, list: 'pipelines' }, request, {
    read: (query) => stores.pipelines.list(accountId, query),
    present: presentPipeline,
  });
}

/** Returns the pipeline. Throws `not_found`. */
export async function getPipeline(
  needs: Reading,
  accountId: string,
  id: string,
): Promise<PipelineResponse> {
  return presentPipeline(await findPipeline(needs, accountId, id));
}

/**
 * Replaces the pipeline. If something changes, the caller becomes the pipeline's creator, and the keys of its runs end
 * at once. Throws `not_found`, and the same errors as createPipeline.
 */
export async function replacePipeline(
  needs: Dependencies,
  principal: Principal,
  { id, body }: { readonly id: string; readonly body: PipelineBody },
): Promise<PipelineResponse> {
  const { accountId } = principal;
  const before = await findPipeline(needs, accountId, id);
  await requireMayTrust(needs, principal, body);
  if (isSameJson({ ...before, ...body }, before)) return presentPipeline(before);
  const after = { ...before, ...body, createdBy: await findMaker(needs, principal) };
  if (!(await needs.stores.pipelines.replace(accountId, after))) throw notFound();
  await endKeys(needs, after);
  return presentPipeline(after);
}

/** Deletes the pipeline and the API keys of its runs. */
export async function deletePipeline(needs: Reading, accountId: string, id: string): Promise<void> {
  const pipeline = await findPipeline(needs, accountId, id);
  await needs.stores.pipelines.remove(accountId, id);
  await endKeys(needs, pipeline);
}

/** Ends the keys of a pipeline's runs. From then on, requests with these keys are refused. */
export async function endKeys(
  { stores }: Reading,
  { accountId, id }: Pick<Pipeline, 'accountId' | 'id'>,
): Promise<void> {
  await stores.apiKeys.removeOfPipeline(accountId, id, Number.MAX_SAFE_INTEGER);
}

async function requireMayTrust(
  needs: Dependencies,
  principal: Principal,
  { scopes, issuer }: PipelineBody,
): Promise<void> {
  for (const scope of scopes) requireScope(principal, scope);
  const inForce = await readPlan(needs, principal.accountId);
  if (inForce?.bounds.keyLimits === null)
    throw new AppError('plan_required', 'API keys need the plan pro or above.');
  refuseUnknownIssuer(needs, issuer);
}

async function findPipeline({ stores }: Reading, accountId: string, id: string): Promise<Pipeline> {
  const pipeline = isId('pipeline', id) ? await stores.pipelines.find(accountId, id) : null;
  if (pipeline === null) throw notFound();
  return pipeline;
}

function notFound(): AppError {
  return new AppError('not_found', 'There is no pipeline with this id.');
}

function refuseUnknownIssuer(
  { pipelineIssuers }: Pick<Dependencies, 'pipelineIssuers'>,
  issuer: string,
): void {
  if (pipelineIssuers.includes(issuer)) return;
  const message = `must be ${pipelineIssuers.join(' or ')}; an operator adds others to KEEPWATCH_PIPELINE_ISSUERS`;
  refuseProblems([{ path: 'issuer', code: 'invalid_value', message }]);
}

function presentPipeline({
  accountId: _account,
  createdAtMs,
  ...shown
}: Pipeline): PipelineResponse {
  return { ...shown, createdAt: toInstant(createdAtMs) };
}
