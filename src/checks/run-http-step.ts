/**
 * Runs one HTTP step: render → guard → send → measure → extract → assert. Every fault of the target is an outcome. A
 * bug of ours gives the outcome `unknown` and is logged.
 */
import { randomUUID } from 'node:crypto';
import type { GeneratedValues } from '../contracts/activities';
import {
  type Definition,
  isNetworkStep,
  type JsonValue,
  type StepDefinition,
} from '../contracts/definition';
import type { StepOutcome } from '../contracts/outcome';
import type { ProbeSecret } from '../contracts/probe-protocol';
import { isWorthAnotherTry } from '../domain/health/tries';
import { codeNamesIn } from '../domain/secrets/secret-names';
import type { ReachingVariable } from '../domain/secrets/secret-reach';
import type { TemplateValues } from '../domain/templates/template';
import { createTextPool, type TextPool } from '../text/text-pool';
import { runAttempt } from './attempt';
import type { AuthSession } from './auth/auth-session';
import type { StartAuth } from './auth/start-auth';
import { createTokenSource } from './auth/token-source';
import { createCode, listCodes } from './auth/totp';
import { createCookieSession } from './cookie-session';
import { examineResponse } from './examine-response';
import { failingEarly } from './failing-early';
import { createFillIn, type FilledStep, type FillNeeds } from './fill-in-step';
import type { WireRequest } from './http/write-request';
import type { ConnectionDependencies } from './open-connection';
import { buildOutcome, type SealExtracted, type Try } from './outcome';
import type { OutgoingOptions } from './outgoing-options';
import { createFindProxy } from './proxy/find-proxy';
import { createRedaction, type Redaction } from './redaction';
import { createResolveHost } from './resolve-host';
import { SignInFailure, StepFailure } from './step-failure';
import { createTargetGuard } from './target-guard';
import { createPrepareTls } from './tls/prepare-tls';
import { createTrust } from './tls/secure-socket';

export interface StepRunnerOptions extends OutgoingOptions {
  /** The default `User-Agent`. */
  readonly userAgent: string;
  readonly region: string;
  readonly logger?: { readonly error: (details: object, message: string) => void };
}

export interface StepInputs {
  /** The account that owns the definition. */
  readonly accountId?: string | undefined;
  readonly slotMs: number;
  /** Time limit for the step with all its tries. Applies in addition to the step's own timeouts. */
  readonly limitMs?: number | undefined;
  /** Plain values of the run so far. They override the definition's values. */
  readonly vars?: readonly ReachingVariable[] | undefined;
  readonly generated?: GeneratedValues | undefined;
  /** The values of `{{secret:name}}`. They are masked in every response. */
  readonly secrets?: readonly ProbeSecret[] | undefined;
  /** Encrypts secret extracted values for the next step. Absent: they are masked. */
  readonly sealExtracted?: SealExtracted | undefined;
  /** The unencrypted cookies of the run so far, as one text. */
  readonly cookies?: string | null | undefined;
  readonly traceparent?: string | undefined;
  /** Encrypts the cookies for the next step. Absent: they are dropped after the step. */
  readonly sealCookies?: ((text: string) => string) | undefined;
}

export interface StepRunner {
  /** Runs one step with its retries. Never rejects because of the target. */
  readonly runStep: (
    definition: Definition,
    stepIndex: number,
    inputs: StepInputs,
  ) => Promise<StepOutcome>;
  readonly close: () => Promise<void>;
}

/** The tools that checks of all kinds share. */
export interface StepTools extends Omit<FillNeeds, 'userAgent'> {
  readonly connection: ConnectionDependencies;
  readonly pool: TextPool;
}

/** Throws immediately if an allowed range is invalid. */
export function createStepTools(options: OutgoingOptions): StepTools {
  const { extraAuthorities = [] } = options;
  const connection = {
    guard: createTargetGuard(options),
    resolveHost: options.resolveHost ?? createResolveHost(),
    trust: createTrust(extraAuthorities),
  };
  return {
    connection,
    pool: createTextPool(),
    tokens: createTokenSource(connection),
    prepareTls: createPrepareTls(extraAuthorities),
    findProxy: createFindProxy(options.proxies ?? []),
  };
}

interface Sending extends Omit<FilledStep, 'step'> {
  readonly redaction: Redaction;
  /** Extracted values of these variables are secret. */
  readonly secretVariables: ReadonlySet<string>;
  /** Time limit for all tries together. */
  readonly limitMs: number;
  /** The cookies of the run so far. Each try starts with them. */
  readonly cookieText: string | null;
}

/** The values of all references in one step. */
export function templateValues(
  definition: Definition,
  { vars = [], generated, secrets = [], slotMs }: StepInputs,
  region: string,
): TemplateValues & { readonly secretVariables: ReadonlySet<string> } {
  const { uuid, now, runId } = generated ?? {
    uuid: randomUUID(),
    now: new Date(slotMs).toISOString(),
    runId: '',
  };
  const variables = [...definition.variables, ...vars];
  return {
    variables: new Map(variables.map(({ name, value }) => [name, value])),
    secretVariables: new Set(
      variables.filter(({ secret }) => secret === true).map(({ name }) => name),
    ),
    generated: { uuid, now, runId, region },
    secrets: new Map(secrets.map(({ name, value }) => [name, value])),
    createCode: (key) => createCode(key, Date.now()),
  };
}

/** Values to hide: secrets, their one-time passwords, and variables with secret names. */
export function hiddenValues(
  { variables, steps }: Definition,
  { secrets = [], vars = [] }: StepInputs,
  secretVariables: ReadonlySet<string>,
): readonly JsonValue[] {
  const hidden = [...variables, ...vars].filter(({ name }) => secretVariables.has(name));
  const codes = secrets.length === 0 ? [] : computeCodes(steps, secrets);
  return [...[...secrets, ...hidden].map(({ value }) => value), ...codes];
}

function computeCodes(
  steps: Definition['steps'],
  secrets: NonNullable<StepInputs['secrets']>,
): readonly string[] {
  const names = codeNamesIn(steps);
  return secrets
    .filter(({ name }) => names.includes(name))
    .flatMap(({ value }) => listCodes(value, Date.now()));
}

interface Signing extends Omit<Sending, 'startAuth'> {
  readonly auth: AuthSession | null;
}

async function tryOnce(
  step: StepDefinition,
  { request, auth, tls, proxy, redaction, secretVariables, limitMs, cookieText }: Signing,
  { connection, pool }: StepTools,
): Promise<Try> {
  const cookies = createCookieSession(step.cookies, cookieText);
  redaction.mask(cookies.maskedValues());
  const result = await runAttempt(
    {
      request,
      timeoutMs: Math.max(1, Math.min(step.timeoutMs, limitMs)),
      options: step,
      holdSecrets: redaction.holdSecrets,
      auth,
      cookies,
      tls,
      proxy,
      ipFamily: step.ipFamily,
      httpVersion: step.httpVersion ?? 'auto',
    },
    connection,
  );
  redaction.mask(cookies.maskedValues());
  const { response, failure } = result;
  if (failure !== null || response === null) return { result, cookies, examination: null, failure };
  const examiner = { pool, redaction, secretVariables, cookies };
  const examination = await examineResponse(step, { ...result, response }, examiner);
  return { result, cookies, examination, failure: examination.failure };
}

/**
 * Runs the tries. If the target rejects a token, fetches a new token once; the rejected request does not count as a
 * try.
 */
async function tryUntilPassed(
  step: StepDefinition,
  { startAuth, ...sending }: Sending,
  tools: StepTools,
): Promise<readonly Try[]> {
  const tries: Try[] = [];
  const endsAtMs = performance.now() + sending.limitMs;
  // Time budget for all token fetches plus a rejected request.
  let signInMs = step.timeoutMs;
  let mayReplace = true;
  while (tries.length <= step.retries) {
    const begunAtMs = performance.now();
    const auth = await startSession(startAuth, Math.min(signInMs, endsAtMs - begunAtMs));
    if (auth?.fetched !== undefined) sending.redaction.add(auth.fetched.token);
    const sentAtMs = performance.now();
    signInMs -= sentAtMs - begunAtMs;
    const one = await tryOnce(step, { ...sending, auth, limitMs: endsAtMs - sentAtMs }, tools);
    // Timers count whole milliseconds: the last try may end just before the limit.
    const isOver = endsAtMs - performance.now() < 1;
    if (mayReplace && auth?.fetched !== undefined && isRefused(one, sending.request) && !isOver) {
      auth.fetched.forget();
      mayReplace = false;
      signInMs -= one.result.timings.totalMs;
      continue;
    }
    tries.push(one);
    if (!isWorthAnotherTry(one.failure) || isOver) break;
  }
  return tries;
}

/** A secret variable may be part of the token URL. The provider then stays unnamed. */
async function withoutSecretFault<Value>(
  redaction: Redaction,
  attempt: () => Promise<Value>,
): Promise<Value> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error;
    const { code, message, phase } = error.failure;
    const [isSecret] = await redaction.holdSecrets([error.fault.tokenUrl]);
    throw isSecret === false ? error : new StepFailure(code, message, phase);
  }
}

async function startSession(
  startAuth: StartAuth | null,
  leftMs: number,
): Promise<AuthSession | null> {
  return startAuth === null ? null : await startAuth(Math.max(1, Math.round(leftMs)));
}

/** True if the origin for which the credentials are meant rejected them. */
function isRefused({ result: { response } }: Try, { url }: WireRequest): boolean {
  return response?.head.status === 401 && response.url.origin === url.origin;
}

export function createStepRunner(
  options: StepRunnerOptions,
  tools: StepTools = createStepTools(options),
): StepRunner {
  const fillIn = createFillIn({ ...tools, userAgent: options.userAgent });
  async function measure(definition: Definition, stepIndex: number, inputs: StepInputs) {
    const given = definition.steps[stepIndex];
    if (given === undefined) throw new RangeError(`there is no step ${stepIndex}`);
    if (isNetworkStep(given)) throw new RangeError(`step ${stepIndex} is not an HTTP request`);
    const values = templateValues(definition, inputs, options.region);
    const { secretVariables } = values;
    const { accountId = '', vars = [], secrets = [], traceparent } = inputs;
    const { limitMs = Number.POSITIVE_INFINITY, sealExtracted, sealCookies } = inputs;
    const filling = { accountId, definition, step: given, values, vars, secrets, traceparent };
    const { step, ...filled } = fillIn(filling);
    const { request } = filled;
    const hidden = hiddenValues(definition, inputs, secretVariables);
    const redaction = createRedaction(hidden, tools.pool);
    const cookieText = inputs.cookies ?? null;
    const trying = { ...filled, redaction, secretVariables, cookieText };
    const tries = await withoutSecretFault(redaction, () =>
      tryUntilPassed(step, { ...trying, limitMs }, tools),
    );
    const made = { step, request, tries, redaction };
    return buildOutcome({ ...made, sealExtracted, sealCookies });
  }

  return {
    runStep: (definition, stepIndex, inputs) =>
      failingEarly(options, () => measure(definition, stepIndex, inputs)),
    close: () => tools.pool.close(),
  };
}
