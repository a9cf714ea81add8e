/**
 * One HTTP step from definition to outcome: render → guard → send → measure → extract → assert.
 * Every fault of the target is an outcome; a bug of ours becomes the outcome `unknown` and is
 * logged. It keeps nothing between steps but worker threads.
 */
import { randomUUID } from 'node:crypto';
import type { GeneratedValues } from '../contracts/activities';
import type { Definition, JsonValue, StepDefinition } from '../contracts/definition';
import type { Failure, StepOutcome } from '../contracts/outcome';
import { createRedactor, type Redact } from '../domain/redact';
import type { TemplateValues } from '../domain/template';
import { runAttempt } from './attempt';
import { examineAnswer } from './examine-answer';
import type { WireRequest } from './exchange';
import type { ConnectionDependencies } from './open-connection';
import { buildOutcome, type Try } from './outcome';
import { createQueryPool, type QueryPool } from './query-pool';
import { renderRequest } from './render-request';
import { createResolveHost, type ResolveHost } from './resolve-host';
import { createTrust } from './secure-socket';
import { StepFailure } from './step-failure';
import { createTargetGuard } from './target-guard';

export interface StepRunnerOptions {
  /** Sent unless the definition sets its own. */
  readonly userAgent: string;
  readonly region: string;
  /** `CIDR`, `CIDR#port` or `CIDR#from-to`. */
  readonly allowedPrivateTargets: readonly string[];
  readonly logger?: { readonly error: (details: object, message: string) => void };
  /** Looks names up; c-ares with the machine's name servers by default. */
  readonly resolveHost?: ResolveHost;
  /** PEM certificates that are trusted beside the well-known authorities. */
  readonly extraAuthorities?: readonly string[];
}

export interface StepInputs {
  readonly slotMs: number;
  /** Values of the run so far; they take precedence over the definition's own. */
  readonly vars?: readonly { readonly name: string; readonly value: JsonValue }[] | undefined;
  readonly generated?: GeneratedValues | undefined;
  /** Behind `{{secret:name}}`; their values are masked in everything that comes back. */
  readonly secrets?: readonly { readonly name: string; readonly value: string }[] | undefined;
  /** Further values to mask, such as secret variables. */
  readonly masked?: readonly string[] | undefined;
}

export interface StepRunner {
  /** Carries out one step with its retries; never rejects for a fault of the target. */
  readonly runStep: (
    definition: Definition,
    stepIndex: number,
    inputs: StepInputs,
  ) => Promise<StepOutcome>;
  readonly close: () => Promise<void>;
}

interface Tools {
  readonly connection: ConnectionDependencies;
  readonly pool: QueryPool;
}

interface Sending {
  readonly request: WireRequest;
  readonly redact: Redact;
}

/** Another try would end in the same way. */
const FINAL_FAILURES: ReadonlySet<Failure['code']> = new Set([
  'template_error',
  'secret_missing',
  'blocked_target',
]);

function templateValues(
  definition: Definition,
  { vars = [], generated, secrets = [], slotMs }: StepInputs,
  region: string,
): TemplateValues {
  const { uuid, now, runId } = generated ?? {
    uuid: randomUUID(),
    now: new Date(slotMs).toISOString(),
    runId: '',
  };
  return {
    variables: new Map([...definition.variables, ...vars].map(({ name, value }) => [name, value])),
    generated: { uuid, now, runId, region },
    secrets: new Map(secrets.map(({ name, value }) => [name, value])),
  };
}

function hiddenValues({ secrets = [], masked = [] }: StepInputs): readonly string[] {
  return [...secrets.map(({ value }) => value), ...masked];
}

async function tryOnce(
  step: StepDefinition,
  { request, redact }: Sending,
  { connection, pool }: Tools,
): Promise<Try> {
  const result = await runAttempt(
    {
      request,
      timeoutMs: step.timeoutMs,
      followRedirects: step.followRedirects,
      holdsSecret: (text) => redact(text) !== text,
    },
    connection,
  );
  const { answer, failure } = result;
  if (failure !== null || answer === null) return { result, examination: null, failure };
  const examination = await examineAnswer(step, { ...result, answer }, { pool, redact });
  return { result, examination, failure: examination.failure };
}

async function tryUntilPassed(
  step: StepDefinition,
  sending: Sending,
  tools: Tools,
): Promise<readonly Try[]> {
  const tries: Try[] = [];
  for (let count = 0; count <= step.retries; count += 1) {
    const one = await tryOnce(step, sending, tools);
    tries.push(one);
    if (one.failure === null || FINAL_FAILURES.has(one.failure.code)) break;
  }
  return tries;
}

/** Creates what carries out steps; throws at once for an allowed range that is none. */
export function createStepRunner(options: StepRunnerOptions): StepRunner {
  const tools: Tools = {
    connection: {
      guard: createTargetGuard(options.allowedPrivateTargets),
      resolveHost: options.resolveHost ?? createResolveHost(),
      trust: createTrust(options.extraAuthorities ?? []),
    },
    pool: createQueryPool(),
  };

  async function measure(definition: Definition, stepIndex: number, inputs: StepInputs) {
    const step = definition.steps[stepIndex];
    if (step === undefined) throw new RangeError(`there is no step ${stepIndex}`);
    const values = templateValues(definition, inputs, options.region);
    const request = renderRequest(step, values, options.userAgent);
    const redact = createRedactor(hiddenValues(inputs));
    const tries = await tryUntilPassed(step, { request, redact }, tools);
    return buildOutcome({ step, request, tries, redact });
  }

  function failEarly(error: unknown, startedAt: string): StepOutcome {
    const isKnown = error instanceof StepFailure;
    if (!isKnown) options.logger?.error({ err: error }, 'a check broke down');
    const failure: Failure = isKnown
      ? error.failure
      : { code: 'internal_error', message: 'The check itself broke down.', phase: null };
    const isOurs = failure.code === 'internal_error' || failure.code === 'secret_missing';
    return {
      status: isOurs ? 'unknown' : 'down',
      startedAt,
      finishedAt: new Date().toISOString(),
      responseTimeMs: null,
      timings: null,
      request: null,
      response: null,
      tls: null,
      assertions: [],
      failure,
      attempts: [],
      extracted: [],
    };
  }

  return {
    runStep: async (definition, stepIndex, inputs) => {
      const startedAt = new Date().toISOString();
      try {
        return await measure(definition, stepIndex, inputs);
      } catch (error) {
        return failEarly(error, startedAt);
      }
    },
    close: () => tools.pool.close(),
  };
}
