/** Exchanges an ID token for an API key that is valid for 15 minutes. CI services issue ID tokens to their runs. */
import { isTrustedRun } from '../../domain/accounts/pipeline-claims';
import { isId } from '../../domain/definitions/ids';
import type { ApiKey } from '../../models/accounts/api-keys';
import type { Pipeline } from '../../models/accounts/pipelines';
import { isSameJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import type { PipelineKeyResponse } from '../../schemas/responses/pipelines';
import { hashToken, newApiKey, readVisibleParts } from '../accounts/api-key-format';
import { listTokenCounters, runThrottled } from '../accounts/login-throttle';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { endKeys } from './pipelines';

const LIFETIME_MS = 15 * 60_000;
const NAME_MAX = 100;
/** Maximum number of valid keys per pipeline. */
const KEYS_MAX = 500;
const RETRY_AFTER_SECONDS = 60;
const SUBJECT_MAX = 300;

interface Exchange {
  readonly pipelineId: string;
  readonly token: string;
  /** The caller's IP address. */
  readonly from: string;
}

export interface ExchangedKey {
  readonly apiKey: ApiKey;
  readonly pipelineName: string;
  /** The name of the run in the CI service. */
  readonly subject: string;
  readonly response: PipelineKeyResponse;
}

/**
 * Exchanges a token. A valid token may be exchanged several times, because GitLab gives each job only one token. Throws
 * `invalid_token` for an invalid token or an unknown pipeline. Throws `unavailable` while the issuer does not respond,
 * and `rate_limited` if the pipeline has too many keys.
 */
export async function exchangeToken(
  needs: Dependencies,
  { pipelineId, token, from }: Exchange,
): Promise<ExchangedKey> {
  return runThrottled(needs, listTokenCounters(from), async () => {
    const { stores } = needs;
    const pipeline = isId('pipeline', pipelineId)
      ? await stores.pipelines.findById(pipelineId)
      : null;
    if (pipeline === null) throw refused();
    const subject = await readSubject(needs, pipeline, token);
    const key = newApiKey(needs.randomBytes);
    const apiKey = composeKey(needs, pipeline, key);
    await storeKey(needs, pipeline, apiKey);
    const { id, scopes, createdAtMs } = apiKey;
    const expiresAt = toInstant(createdAtMs + LIFETIME_MS);
    const response = { id, key, scopes, expiresAt };
    return { apiKey, pipelineName: pipeline.name, subject, response };
  });
}

/** Returns the subject of a token that the pipeline accepts. Throws for any other token. */
async function readSubject(
  { readIdentityToken, publicUrl, pipelineIssuers }: Dependencies,
  pipeline: Pipeline,
  token: string,
): Promise<string> {
  const { issuer } = pipeline;
  // The operator may have removed the issuer from the settings since the pipeline was created.
  if (!pipelineIssuers.includes(issuer)) throw refused();
  const reading = await readIdentityToken(token, { issuer, audience: publicUrl });
  if (reading.kind === 'away')
    throw new AppError('unavailable', `${issuer} does not respond. Try again in a minute.`);
  if (reading.kind === 'refused' || !isTrustedRun(pipeline, reading.claims)) throw refused();
  return String(reading.claims['sub']).slice(0, SUBJECT_MAX);
}

function composeKey(
  { newId, clock }: Pick<Dependencies, 'newId' | 'clock'>,
  { id, accountId, name, scopes, createdBy }: Pipeline,
  key: string,
): ApiKey {
  const nowMs = clock.now();
  return {
    id: newId('apiKey'),
    accountId,
    name: `Pipeline ${name}`.slice(0, NAME_MAX),
    hash: hashToken(key),
    ...readVisibleParts(key),
    scopes,
    expiresAtMs: nowMs + LIFETIME_MS,
    revokedAtMs: null,
    createdAtMs: nowMs,
    createdBy,
    pipelineId: id,
    lastUsedAtMs: null,
  };
}

/**
 * Stores the key. Throws if the pipeline has too many keys. If the pipeline was deleted or changed in the meantime,
 * ends all keys of the pipeline and throws.
 */
async function storeKey(
  needs: Pick<Dependencies, 'stores'>,
  pipeline: Pipeline,
  apiKey: ApiKey,
): Promise<void> {
  const { stores } = needs;
  const { id, accountId } = pipeline;
  await stores.apiKeys.removeOfPipeline(accountId, id, apiKey.createdAtMs);
  if ((await stores.apiKeys.countOfPipeline(accountId, id)) >= KEYS_MAX) throw tooMany();
  await stores.apiKeys.create(accountId, apiKey);
  if (isSameJson(await stores.pipelines.find(accountId, id), pipeline)) return;
  await endKeys(needs, pipeline);
  throw refused();
}

function tooMany(): AppError {
  return new AppError(
    'rate_limited',
    `A pipeline may have at most ${KEYS_MAX} keys at a time, and each ends after 15 minutes.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

function refused(): AppError {
  return new AppError(
    'invalid_token',
    'No pipeline with this id accepts this run. The token must be valid, be issued for the public URL of this service, and come from the repository and branch of the pipeline.',
  );
}
