/**
 * The key of a CI run that has no stored key: the run's ID token is exchanged for a key that is valid for 15 minutes
 * (docs/ci.md). The token is KEEPWATCH_ID_TOKEN, or is requested from GitHub Actions for the URL of the service.
 */
import { z } from 'zod';
import { CliError, EXIT_CODES } from './cli-error';
import type { Client } from './client';
import { createFetch } from './proxied-fetch';
import type { Environment } from './stored-login';

const TIMEOUT_MS = 10_000;
/** Keys are renewed early, because a key that expires during a request would make it fail. */
const RENEWED_BEFORE_MS = 60_000;

const tokenShape = z.object({ value: z.string().min(1) });
const keyShape = z.object({ key: z.string(), expiresAt: z.string() });

interface PipelineRun {
  readonly pipelineId: string;
  readonly environment: Environment;
  readonly now: () => number;
  /** A client without a key. */
  readonly client: Client;
}

/** Returns the key of the run, and renews it shortly before it expires. */
export function keyOfPipeline({
  pipelineId,
  environment,
  now,
  client,
}: PipelineRun): () => Promise<string> {
  let held: { readonly key: string; readonly endsAtMs: number } | null = null;
  return async () => {
    if (held !== null && now() < held.endsAtMs - RENEWED_BEFORE_MS) return held.key;
    const token = await readIdToken(environment, client.url.replace(/\/$/, ''));
    const path = `v1/pipelines/${encodeURIComponent(pipelineId)}/keys`;
    const { key, expiresAt } = await client.call(path, keyShape, {
      method: 'POST',
      body: { token },
    });
    held = { key, endsAtMs: Date.parse(expiresAt) };
    return key;
  };
}

async function readIdToken(environment: Environment, audience: string): Promise<string> {
  const given = environment['KEEPWATCH_ID_TOKEN'];
  if (given !== undefined && given !== '') return given;
  const url = environment['ACTIONS_ID_TOKEN_REQUEST_URL'] ?? '';
  const bearer = environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] ?? '';
  if (url === '' || bearer === '') {
    throw noToken('KEEPWATCH_PIPELINE is set, but this run has no ID token.', undefined);
  }
  const asked = new URL(url);
  asked.searchParams.set('audience', audience);
  const send = createFetch(environment);
  const response = await send(asked, {
    headers: { authorization: `Bearer ${bearer}`, accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw noToken('GitHub gave no ID token.', error);
  });
  const read = tokenShape.safeParse(await response.json().catch(() => null));
  if (!response.ok || !read.success)
    throw noToken(`GitHub gave no ID token: it responded with ${response.status}.`, undefined);
  return read.data.value;
}

function noToken(sentence: string, cause: unknown): CliError {
  return new CliError(EXIT_CODES.refused, sentence, {
    code: 'missing_token',
    hint: 'Give the job `permissions: id-token: write` (GitHub) or id_tokens with KEEPWATCH_ID_TOKEN (GitLab).',
    cause,
  });
}
