/** Fills in the references of a step's request and assertions. The result is cached for steps without references. */
import type {
  Assertion,
  AssertionOperator,
  Definition,
  JsonValue,
  NamedValue,
  StepDefinition,
} from '../contracts/definition';
import type { ProxyServer } from '../contracts/definitions/proxy';
import { parseExactly } from '../contracts/json';
import type { ProbeSecret } from '../contracts/probe-protocol';
import {
  findForbiddenSecret,
  listSentTexts,
  type ReachingVariable,
} from '../domain/secrets/secret-reach';
import { listAuthTexts, listFilledIn } from '../domain/templates/payload';
import {
  createTemplateBudget,
  findReferences,
  renderBody,
  type TemplateValues,
} from '../domain/templates/template';
import { listTexts } from '../domain/text/list-texts';
import { buildAuthHeaders } from './auth/auth-headers';
import { createAuthStarter, type StartAuth } from './auth/start-auth';
import { renderTokenRequest } from './auth/token-request';
import type { TokenSource } from './auth/token-source';
import type { WireRequest } from './http/write-request';
import type { FindProxy } from './proxy/find-proxy';
import { renderRequest } from './render-request';
import { unwrapRendered } from './rendered';
import { StepFailure } from './step-failure';
import type { RequestTls } from './tls/handshake-rules';
import type { PrepareTls } from './tls/prepare-tls';

export interface FilledStep {
  readonly step: StepDefinition;
  readonly request: WireRequest;
  /** null means that the request contains its credentials already, or needs none. */
  readonly startAuth: StartAuth | null;
  /** null means that certificates are verified as usual. */
  readonly tls: RequestTls | null;
  readonly proxy: ProxyServer | null;
}

export interface Filling {
  readonly accountId: string;
  readonly definition: Definition;
  readonly step: StepDefinition;
  readonly values: TemplateValues;
  /** Values that may be sent only to certain hosts. */
  readonly vars: readonly ReachingVariable[];
  readonly secrets: readonly ProbeSecret[];
  /** The value of the header `traceparent`. undefined if the step is not part of a trace. */
  readonly traceparent: string | undefined;
}

/**
 * Fills in a step. Throws StepFailure if a reference cannot be filled in, or if a secret must not be sent to the host.
 */
export type FillIn = (filling: Filling) => FilledStep;

export interface FillNeeds {
  readonly userAgent: string;
  readonly tokens: TokenSource;
  readonly prepareTls: PrepareTls;
  readonly findProxy: FindProxy;
}

/**
 * Creates a function that fills in steps. Steps without references are cached as long as their definition is in memory.
 */
export function createFillIn(needs: FillNeeds): FillIn {
  const kept = new WeakMap<StepDefinition, FilledStep | null>();
  return (filling) => {
    const { step } = filling;
    const known = kept.get(step);
    if (known !== undefined && known !== null) return known;
    const filled = fillIn(filling, needs);
    if (known === undefined) kept.set(step, isFixed(step) ? filled : null);
    return filled;
  };
}

function fillIn(
  { accountId, definition, step: given, values, vars, secrets, traceparent }: Filling,
  { userAgent, tokens, prepareTls, findProxy }: FillNeeds,
): FilledStep {
  const step = { ...given, assertions: renderAssertions(given.assertions, values) };
  const rendered = renderRequest(step, values, {
    userAgent,
    traceparent: step.sendTraceparent ? traceparent : undefined,
  });
  const request = withAuth(rendered, buildAuthHeaders(step.auth, values));
  const { auth } = step;
  const tokenRequest =
    auth?.type === 'oauth2'
      ? { accountId, request: renderTokenRequest(auth, values, userAgent) }
      : null;
  const { generated } = values;
  // Only the first URL must be checked, because a redirect never takes a secret to another origin.
  const { auth: credentials, ...withoutAuth } = given;
  const forbidden = findForbiddenSecret({
    definition,
    texts: listSentTexts(tokenRequest === null ? given : withoutAuth),
    headers: given.headers,
    url: request.url,
    token: tokenRequest && { url: tokenRequest.request.url, texts: [listAuthTexts(credentials)] },
    secrets,
    vars,
    generated,
  });
  if (forbidden !== null) throw new StepFailure('secret_missing', forbidden, 'prepare');
  const startAuth = createAuthStarter(auth, { values, tokens, tokenRequest });
  const tls = step.tls === undefined ? null : prepareTls(step.tls, values);
  return { step, request, startAuth, tls, proxy: findProxy(step) };
}

function withAuth(request: WireRequest, headers: readonly NamedValue[]): WireRequest {
  return headers.length === 0 ? request : { ...request, headers: [...headers, ...request.headers] };
}

/**
 * True if the step results in the same request each time. Multipart boundaries and trace headers differ for each
 * request.
 */
function isFixed(step: StepDefinition): boolean {
  const { url, headers, multipart = null, assertions, sendTraceparent } = step;
  if (multipart !== null || sendTraceparent) return false;
  const values = assertions.map(({ value }) => value ?? null);
  const texts = listTexts([url, headers.map(({ value }) => value), listFilledIn(step), values]);
  return texts.every((text) => findReferences(text).length === 0);
}

const ORDERS: ReadonlySet<AssertionOperator> = new Set([
  'lessThan',
  'lessThanOrEqual',
  'greaterThan',
  'greaterThanOrEqual',
]);
const NUMBER_TEXT = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Fills in the assertions. A value that is a single reference gets the JSON type of the variable, as in bodies. Throws
 * StepFailure if a variable has no value.
 */
function renderAssertions(
  assertions: readonly Assertion[],
  given: TemplateValues,
): readonly Assertion[] {
  const values = { ...given, budget: createTemplateBudget() };
  return assertions.map((assertion) => {
    if (assertion.value === undefined || assertion.type === 'jsonSchema') return assertion;
    const value = unwrapRendered(renderBody(assertion.value, values));
    return { ...assertion, value: ORDERS.has(assertion.operator) ? asNumber(value) : value };
  });
}

/**
 * Converts a text that contains a number to this number, so that assertions can compare it. Variables of a definition
 * are always texts.
 */
function asNumber(value: JsonValue): JsonValue {
  if (typeof value !== 'string' || !NUMBER_TEXT.test(value)) return value;
  const number = Number(value);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? parseExactly(value) : number;
}
