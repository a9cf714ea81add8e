/**
 * Runs an HTTP step: fills in the request, asks the target guard, sends, measures, extracts and asserts. A fault of the
 * target becomes an outcome, never an error.
 */
import { runAttempt } from '../../checks/attempt';
import type { AuthSession } from '../../checks/auth/auth-session';
import type { StartAuth } from '../../checks/auth/start-auth';
import { createCookieSession } from '../../checks/cookie-session';
import { examineResponse } from '../../checks/examine-response';
import { createFillIn, type FilledStep } from '../../checks/fill-in-step';
import type { WireRequest } from '../../checks/http/write-request';
import { buildOutcome, type Try } from '../../checks/outcome';
import { createRedaction, type Redaction } from '../../checks/redaction';
import { SignInFailure, StepFailure } from '../../checks/step-failure';
import {
  buildTemplateValues,
  listHiddenValues,
  type StepInputs,
  type StepRunnerOptions,
  type StepTools,
} from '../../checks/step-runner';
import type { Definition, StepDefinition } from '../../contracts/definition';
import type { StepOutcome } from '../../contracts/outcome';
import { isWorthAnotherTry } from '../../domain/health/tries';

interface Sending extends Omit<FilledStep, 'step'> {
  readonly redaction: Redaction;
  /** Variables whose extracted values are secret. */
  readonly secretVariables: ReadonlySet<string>;
  /** Time limit for all tries together. */
  readonly limitMs: number;
  /** The cookies of the run so far. Each try starts with them. */
  readonly cookieText: string | null;
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
      redirectsMax: step.followRedirects ? step.maxRedirects : undefined,
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
 * Makes the tries. If the target rejects a token, fetches a new token once. The rejected request does not count as a
 * try.
 */
async function tryUntilPassed(
  step: StepDefinition,
  { startAuth, ...sending }: Sending,
  tools: StepTools,
): Promise<readonly Try[]> {
  const tries: Try[] = [];
  const endsAtMs = performance.now() + sending.limitMs;
  // The time that is left for token fetches and for a request whose token is rejected.
  let signInMs = step.timeoutMs;
  let mayReplace = true;
  while (tries.length <= step.retries) {
    const begunAtMs = performance.now();
    const auth = await startSession(startAuth, Math.min(signInMs, endsAtMs - begunAtMs));
    if (auth?.fetched !== undefined) sending.redaction.add(auth.fetched.token);
    const sentAtMs = performance.now();
    signInMs -= sentAtMs - begunAtMs;
    const one = await tryOnce(step, { ...sending, auth, limitMs: endsAtMs - sentAtMs }, tools);
    // Timers count whole milliseconds, so the last try may end just before the limit.
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

/**
 * Removes the sign-in fault if a secret variable may be part of the token URL, because the fault contains the token
 * URL.
 */
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

/** True if the origin for which the credentials are meant has rejected them. */
function isRefused({ result: { response } }: Try, { url }: WireRequest): boolean {
  return response?.head.status === 401 && response.url.origin === url.origin;
}

export type RunHttp = (
  definition: Definition,
  step: StepDefinition,
  inputs: StepInputs,
) => Promise<StepOutcome>;

export function createRunHttp(
  { userAgent, region }: Pick<StepRunnerOptions, 'userAgent' | 'region'>,
  tools: StepTools,
): RunHttp {
  const fillIn = createFillIn({ ...tools, userAgent });
  return async (definition, given, inputs) => {
    const values = buildTemplateValues(definition, inputs, region);
    const { secretVariables } = values;
    const { accountId = '', vars = [], secrets = [], traceparent } = inputs;
    const { limitMs = Number.POSITIVE_INFINITY, sealExtracted, sealCookies } = inputs;
    const filling = { accountId, definition, step: given, values, vars, secrets, traceparent };
    const { step, ...filled } = fillIn(filling);
    const { request } = filled;
    const hidden = listHiddenValues(definition, inputs, secretVariables);
    const redaction = createRedaction(hidden, tools.pool);
    const cookieText = inputs.cookies ?? null;
    const trying = { ...filled, redaction, secretVariables, cookieText };
    const tries = await withoutSecretFault(redaction, () =>
      tryUntilPassed(step, { ...trying, limitMs }, tools),
    );
    const made = { step, request, tries, redaction };
    return buildOutcome({ ...made, sealExtracted, sealCookies });
  };
}
