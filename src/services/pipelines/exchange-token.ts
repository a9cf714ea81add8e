/** Exchanges the ID token that a CI service gives a run of a trusted pipeline for an API key valid for 15 minutes. */
import { letsIn } from '../../domain/accounts/pipeline-claims';
import { isId } from '../../domain/definitions/ids';
import type { ApiKey } from '../../models/accounts/api-keys';
import type { Pipeline } from '../../models/accounts/pipelines';
import { AppError } from '../../platform/errors';
import type { PipelineKeyResponse } from '../../schemas/responses/pipelines';
import { hashToken, newApiKey, visibleParts } from '../accounts/api-key-format';
import { asThrottledTry, tokenMarks } from '../accounts/login-throttle';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';

const LIFETIME_MS = 15 * 60_000;
const NAME_MAX = 100;

interface Exchange {
  readonly pipelineId: string;
  readonly token: string;
  /** IP address of the caller. */
  readonly from: string;
}

export interface ExchangedKey {
  readonly apiKey: ApiKey;
  readonly response: PipelineKeyResponse;
}

/**
 * A token may be exchanged again until it expires; each key expires on its own. Throws `invalid_token`, with the same
 * message for an unknown pipeline, and `unavailable` while the issuer does not respond.
 */
export async function exchangeToken(
  needs: Dependencies,
  { pipelineId, token, from }: Exchange,
): Promise<ExchangedKey> {
  return asThrottledTry(needs, tokenMarks(from), async () => {
    const { stores, clock } = needs;
    const pipeline = isId('pipeline', pipelineId)
      ? await stores.pipelines.findById(pipelineId)
      : null;
    if (pipeline === null) throw refused();
    await requireTrusted(needs, pipeline, token);
    const nowMs = clock.now();
    const key = newApiKey(needs.randomBytes);
    const apiKey = keyOf(needs, pipeline, { key, nowMs });
    await stores.apiKeys.removeOfPipeline(pipeline.accountId, pipeline.id, nowMs);
    await stores.apiKeys.create(pipeline.accountId, apiKey);
    const expiresAt = toInstant(nowMs + LIFETIME_MS);
    return { apiKey, response: { key, scopes: apiKey.scopes, expiresAt } };
  });
}

async function requireTrusted(
  { readIdentityToken, publicUrl, pipelineIssuers }: Dependencies,
  pipeline: Pipeline,
  token: string,
): Promise<void> {
  const { issuer } = pipeline;
  // The operator may have removed the issuer from the list since the pipeline was created.
  if (!pipelineIssuers.includes(issuer)) throw refused();
  const reading = await readIdentityToken(token, { issuer, audience: publicUrl });
  if (reading.kind === 'away')
    throw new AppError('unavailable', `${issuer} does not respond. Try again in a minute.`);
  if (reading.kind === 'refused' || !letsIn(pipeline, reading.claims)) throw refused();
}

function keyOf(
  { newId }: Pick<Dependencies, 'newId'>,
  { id, accountId, name, scopes, createdBy }: Pipeline,
  { key, nowMs }: { readonly key: string; readonly nowMs: number },
): ApiKey {
  return {
    id: newId('apiKey'),
    accountId,
    name: `Pipeline ${name}`.slice(0, NAME_MAX),
    hash: hashToken(key),
    ...visibleParts(key),
    scopes,
    expiresAtMs: nowMs + LIFETIME_MS,
    revokedAtMs: null,
    createdAtMs: nowMs,
    createdBy,
    pipelineId: id,
    lastUsedAtMs: null,
  };
}

function refused(): AppError {
  return new AppError(
    'invalid_token',
    'No pipeline with this id lets this run in. Its token must be for the public URL of this service, of the repository and the branch that the pipeline names, and still valid.',
  );
}
