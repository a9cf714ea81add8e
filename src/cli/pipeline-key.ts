/**
 * Gets a key for a CI run that has no stored key. The ID token of the run is exchanged for a key that is valid for 15
 * minutes (docs/ci.md). The token comes from KEEPWATCH_ID_TOKEN or from GitHub Actions.
 */
import { z } from 'zod';
import { CliError, EXIT_CODES } from './cli-error';
import type { Client } from './client';
import { createFetch } from './proxied-fetch';
import type { Environment } from './stored-login';

const TIMEOUT_MS = 10_000;
/** A key is renewed this long before it expires. Otherwise it could expire during a request. */
const RENEWED_BEFORE_MS = 60_000;

const tokenShape = z.object({ value: z.string().min(1) });
const keyShape = z.object({ key: z.string(), expiresAt: z.string() });

interface PipelineRun {
  readonly pipelineId: string;
  readonly environment: Environment;
  readonly now: () => number;
  /** A client that sends requests without a key. */
  readonly client: Client;
}

interface HeldKey {
  readonly key: string;
  readonly endsAtMs: number;
}

/** Returns a function that resolves to the current key. Concurrent requests share one key. */
export function createPipelineKey(run: PipelineRun): () => Promise<string> {
  let held: Promise<HeldKey> | null = null;
  const renew = (): Promise<HeldKey> => {
    const next = exchange(run);
    held = next;
    next.catch(() => {
      if (held === next) held = null;
    });
    return next;
  };
  return async () => {
    if (held === null) return (await renew()).key;
    const current = held;
    const { key, endsAtMs } = await current;
    if (run.now() < endsAtMs - RENEWED_BEFORE_MS) return key;
    // If several callers wait for a new key, only the first caller renews it.
    return (await (held === null || held === current ? renew() : held)).key;
  };
}

async function exchange({ pipelineId, environment, client }: PipelineRun): Promise<HeldKey> {
  const audience = client.url.replace(/\/$/, '');
  const token = await readIdToken(environment, audience);
  const path = `v1/pipelines/${encodeURIComponent(pipelineId)}/keys`;
  const call = { method: 'POST', body: { token } } as const;
  try {
    const { key, expiresAt } = await client.call(path, keyShape, call);
    return { key, endsAtMs: Date.parse(expiresAt) };
  } catch (error) {
    throw explained(error, pipelineId, audience);
  }
}

/**
 * Replaces the hint of a refused token exchange, because the usual hint for this error does not help in a pipeline.
 * Other errors are returned unchanged.
 */
function explained(error: unknown, pipelineId: string, audience: string): unknown {
  if (!(error instanceof CliError)) return error;
  const { exitCode, message, code, errors } = error;
  if (code === 'invalid_token' || code === 'not_found') {
    const sentence = `The pipeline ${pipelineId} does not accept this run.`;
    const hint = `Compare repository, branch and issuer of the pipeline with this run, KEEPWATCH_PIPELINE with its id, and KEEPWATCH_URL with the public URL of the service: the ID token must be for ${audience}.`;
    return new CliError(EXIT_CODES.refused, sentence, { code, hint, cause: error });
  }
  if (code !== 'rate_limited') return error;
  const hint = 'Wait, or start fewer commands at a time.';
  return new CliError(exitCode, message, { code, hint, errors, cause: error });
}

async function readIdToken(environment: Environment, audience: string): Promise<string> {
  const given = environment['KEEPWATCH_ID_TOKEN'];
  if (given !== undefined && given !== '') return given;
  const url = environment['ACTIONS_ID_TOKEN_REQUEST_URL'] ?? '';
  const bearer = environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] ?? '';
  if (!URL.canParse(url) || bearer === '')
    throw noToken('KEEPWATCH_PIPELINE is set, but this run has no ID token.');
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
    throw noToken(`GitHub gave no ID token: it responded with ${response.status}.`);
  return read.data.value;
}

function noToken(sentence: string, cause?: unknown): CliError {
  return new CliError(EXIT_CODES.refused, sentence, {
    code: 'missing_token',
    hint: 'Give the job `permissions: id-token: write` (GitHub) or id_tokens with KEEPWATCH_ID_TOKEN (GitLab).',
    cause,
  });
}
