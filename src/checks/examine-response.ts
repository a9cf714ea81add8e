/** Examines a complete response: runs its extractions and assertions in the text pool. Sends nothing itself. */
import type { Assertion, Extraction, JsonValue, StepDefinition } from '../contracts/definition';
import type { AssertionOutcome, Failure, StepOutcome } from '../contracts/outcome';
import {
  createFailedAssertion,
  evaluateAssertion,
  isQuickAssertion,
  withImplied,
} from '../domain/assertions/assertion';
import { isSecretSource } from '../domain/definitions/extraction';
import { runShortTasks } from '../text/short-work';
import type { TextPool } from '../text/text-pool';
import type { ResponseSummary, TextJob, TextResult, TextTask } from '../text/text-task';
import type { AttemptResult, TargetResponse } from './attempt';
import type { CookieSession } from './cookie-session';
import type { Redaction } from './redaction';

/**
 * The maximum length of an extracted value. All later steps may get the value, so a large value would be sent many
 * times.
 */
const EXTRACTED_LENGTH_MAX = 32 * 1024;

export interface Examination {
  readonly assertions: readonly AssertionOutcome[];
  /** The extracted values in plain text. */
  readonly extracted: StepOutcome['extracted'];
  /** False if an extraction of a secret found no value. The response may then contain the secret unmasked. */
  readonly areSecretsFound: boolean;
  readonly failure: Failure | null;
}

interface Examiner {
  readonly pool: TextPool;
  readonly redaction: Redaction;
  /** Variables whose extracted values are secret. */
  readonly secretVariables: ReadonlySet<string>;
  readonly cookies: CookieSession;
}

/** How the value of an extraction is found: it is known already, or a task of the text pool finds it. */
type Search = { readonly value: JsonValue | undefined } | { readonly task: TextTask };

function planSearch(
  extraction: Extraction,
  { head, url }: TargetResponse,
  { cookies, isSecret }: { readonly cookies: CookieSession; readonly isSecret: boolean },
): Search {
  const searchIn = (subject: string | undefined, pattern: string | undefined): Search =>
    subject === undefined || pattern === undefined
      ? { value: subject }
      : { task: { kind: 'pattern', pattern, subject, isSecret } };
  switch (extraction.from) {
    case 'jsonPath':
      return { task: { kind: 'path', path: extraction.path, want: 'first', isSecret } };
    case 'body':
      return { task: { kind: 'pattern', pattern: extraction.pattern, isSecret } };
    case 'header':
      return searchIn(head.headers.get(extraction.name.toLowerCase()), extraction.pattern);
    case 'finalUrl':
      return searchIn(url.href, extraction.pattern);
    case 'cookie':
      return { value: cookies.find(extraction.name, url) };
    case 'status':
      return { value: head.status };
  }
}

/** True if the extracted value is secret, because the extraction says so or the variable is secret. */
export function isMarkedSecret(
  extraction: Extraction,
  secretVariables: ReadonlySet<string>,
): boolean {
  return isSecretSource(extraction) || secretVariables.has(extraction.variable);
}

function looksAtBody(task: TextTask): boolean {
  if (task.kind === 'assertion') return !isQuickAssertion(task.assertion);
  return task.kind === 'path' || (task.kind === 'pattern' && task.subject === undefined);
}

/** Runs the tasks on a text without the secrets of the request. Only tasks that extract a secret get the whole text. */
export async function runRedacted(
  { pool, redaction }: Pick<Examiner, 'pool' | 'redaction'>,
  job: TextJob,
): Promise<readonly TextResult[]> {
  const foreign = redaction.sent();
  if (foreign.length === 0) return pool.run(job);
  if (!job.tasks.some(looksAtBody)) return pool.run({ ...job, foreign });
  const [, ...results] = await pool.run({
    ...job,
    foreign,
    tasks: [{ kind: 'survey' }, ...job.tasks],
  });
  return results;
}

export type Found = { readonly value: JsonValue | undefined } | { readonly problem: string };

export function readFound(result: TextResult | undefined): Found {
  if (result === undefined || 'values' in result) return { value: result?.values[0] };
  if (!('problem' in result)) return { value: undefined };
  return result.isMissing === true ? { value: undefined } : { problem: result.problem };
}

/** Finds the value of each extraction, in the order of the list. */
async function findAll(
  extract: readonly Extraction[],
  response: TargetResponse,
  examiner: Examiner,
): Promise<readonly Found[]> {
  const { cookies, secretVariables } = examiner;
  const searches = extract.map((extraction) =>
    planSearch(extraction, response, {
      cookies,
      isSecret: isMarkedSecret(extraction, secretVariables),
    }),
  );
  const tasks = searches.flatMap((search) => ('task' in search ? [search.task] : []));
  const results = await runRedacted(examiner, {
    text: response.text,
    isCut: response.isCut,
    tasks,
  });
  let next = 0;
  return searches.map((search, index) => {
    if ('task' in search) next += 1;
    const found = 'value' in search ? search : readFound(results[next - 1]);
    return extract[index]?.resolve === true ? resolved(found, response.url) : found;
  });
}

/** Makes the extracted URL absolute, so that the URL of a later step can begin with it. */
function resolved(found: Found, base: URL): Found {
  if ('problem' in found || found.value === undefined) return found;
  const text = typeof found.value === 'string' ? found.value.trim() : '';
  const url = text !== '' && URL.canParse(text, base.href) ? new URL(text, base.href) : null;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isWeb ? { value: url.href } : { problem: 'it is not a URL of http or https' };
}

function extractionFailure(message: string): Failure {
  return { code: 'extraction_failed', message, phase: 'assert' };
}

function findProblem(name: string, found: Found, value: JsonValue | undefined): string | null {
  if ('problem' in found) return `“${name}” could not be extracted: ${found.problem}.`;
  if (value === undefined) return `Nothing was found for “${name}”.`;
  if (JSON.stringify(value).length <= EXTRACTED_LENGTH_MAX) return null;
  return `What was found for “${name}” is larger than 32 KiB.`;
}

export interface Extractions {
  readonly extracted: StepOutcome['extracted'];
  readonly areSecretsFound: boolean;
  readonly failure: Failure | null;
}

interface Value {
  readonly name: string;
  readonly value: JsonValue;
  readonly isMarked: boolean;
}

/** Marks values as secret if they contain a known secret. The target may have sent a secret of the request back. */
async function markSecrets(
  values: readonly Value[],
  redaction: Redaction,
): Promise<StepOutcome['extracted']> {
  for (const { value, isMarked } of values) if (isMarked) redaction.add(value);
  const texts = values.map(({ value }) => JSON.stringify(value));
  const holdSecrets = await redaction.holdSecrets(texts);
  return values.map(({ name, value, isMarked }, index) => {
    if (!isMarked && holdSecrets[index] === false) return { name, value };
    redaction.add(value);
    return { name, value, secret: true as const };
  });
}

/** Runs all extractions, even after one has failed, because masking needs every secret value. */
export async function extractAll(
  extract: readonly Extraction[],
  found: readonly Found[],
  { redaction, secretVariables }: Pick<Examiner, 'redaction' | 'secretVariables'>,
): Promise<Extractions> {
  const values: Value[] = [];
  const faults: Failure[] = [];
  let areSecretsFound = true;
  for (const [index, extraction] of extract.entries()) {
    const { variable: name } = extraction;
    const one = found[index] ?? { value: undefined };
    const isMarked = isMarkedSecret(extraction, secretVariables);
    const isFound = 'value' in one && one.value !== undefined;
    const value = isFound ? one.value : extraction.default;
    const problem = findProblem(name, one, value);
    if (value !== undefined && problem === null) {
      values.push({ name, value, isMarked });
      continue;
    }
    faults.push(extractionFailure(problem ?? ''));
    if (isMarked) areSecretsFound = false;
  }
  const extracted = await markSecrets(values, redaction);
  return { extracted, areSecretsFound, failure: faults[0] ?? null };
}

/**
 * Evaluates the assertions on single numbers and words. They are fast, so they run on this thread instead of a worker
 * thread.
 */
function assertQuickly(
  assertions: readonly Assertion[],
  response: ResponseSummary,
): readonly AssertionOutcome[] {
  const problem = 'not a quick assertion';
  const facts = {
    ...response,
    header: () => null,
    body: '',
    find: () => ({ problem }),
    redact: (text: string) => text,
    redactBroken: (text: string) => text,
    matches: () => ({ problem }),
    matchSchema: () => ({ problem }),
  };
  return assertions.map((assertion) => evaluateAssertion(assertion, facts));
}

async function assertAll(
  step: StepDefinition,
  { text, isCut, response }: Pick<TextJob, 'text' | 'isCut'> & { response: ResponseSummary },
  examiner: Examiner,
): Promise<readonly AssertionOutcome[]> {
  const assertions = withImplied(step);
  const hidden = examiner.redaction.hidden();
  if (hidden.length === 0 && assertions.every(isQuickAssertion)) {
    return assertQuickly(assertions, response);
  }
  const tasks = assertions.map((assertion) => ({ kind: 'assertion' as const, assertion }));
  const job = { text, isCut, response, tasks, hidden };
  const results = runShortTasks(job) ?? (await runRedacted(examiner, job));
  return assertions.map((assertion, index) => {
    const result = results[index];
    if (result !== undefined && 'outcome' in result) return result.outcome;
    const isKnown = result !== undefined && 'problem' in result;
    return createFailedAssertion(assertion, isKnown ? result.problem : 'not evaluated');
  });
}

export function findFirstFailure(outcomes: readonly AssertionOutcome[]): Failure | null {
  const failed = outcomes.find(({ ok, severity }) => !ok && severity === 'fail');
  if (failed === undefined) return null;
  return { code: 'assertion_failed', message: failed.message, phase: 'assert' };
}

/**
 * Returns the outcome of every assertion, the extracted values, and the failure, if any. Extractions run first. An
 * extracted value may turn out to be secret, and assertions must not show it then.
 */
export async function examineResponse(
  step: StepDefinition,
  { response, timings, tls }: AttemptResult & { response: TargetResponse },
  examiner: Examiner,
): Promise<Examination> {
  const found = await findAll(step.extract, response, examiner);
  const { failure, ...extractions } = await extractAll(step.extract, found, examiner);
  const { status, headers } = response.head;
  const summary = {
    status,
    headers,
    responseTimeMs: timings.totalMs,
    timings,
    redirects: response.redirects,
    finalUrl: response.url.href,
    bodyBytes: response.bytes,
    isBodyCut: response.isCut,
    tls,
  };
  const { text, isCut } = response;
  const assertions = await assertAll(step, { text, isCut, response: summary }, examiner);
  return { assertions, ...extractions, failure: findFirstFailure(assertions) ?? failure };
}
