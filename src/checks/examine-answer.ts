/**
 * Looks at a complete answer: assertions and extractions, with JSON paths and patterns evaluated in
 * the query pool. It sends nothing.
 */
import type {
  Assertion,
  Extraction,
  JsonPathMatch,
  JsonValue,
  StepDefinition,
} from '../contracts/definition';
import type { AssertionOutcome, Failure, StepOutcome } from '../contracts/outcome';
import { type AnswerFacts, evaluateAssertions, type FoundValues } from '../domain/assertion';
import { parseJsonPath } from '../domain/json-path-syntax';
import type { Answer, AttemptResult } from './attempt';
import type { Concealment } from './concealment';
import type { QueryPool } from './query-pool';
import type { Query, QueryAnswer, Want } from './query-worker';

const PATTERN_LENGTH_MAX = 500;
const SUBJECT_LENGTH_MAX = 256 * 1024;
/** Extracted values travel with the run from step to step. */
const EXTRACTED_LENGTH_MAX = 32 * 1024;

export interface Examination {
  readonly assertions: readonly AssertionOutcome[];
  /** In clear. */
  readonly extracted: StepOutcome['extracted'];
  /** False: something that is to be secret was not found, and may stand in the answer unmasked. */
  readonly areSecretsFound: boolean;
  readonly failure: Failure | null;
}

interface Examiner {
  readonly pool: QueryPool;
  readonly concealment: Concealment;
  /** What is extracted under one of these names is secret, too. */
  readonly secretVariables: ReadonlySet<string>;
}

/** Answers by what was asked. */
type Answers = ReadonlyMap<string, QueryAnswer>;

interface Asked {
  readonly key: string;
  readonly query: Query;
}

function pathKey(path: string, want: Want): string {
  return `${want} ${path}`;
}

function patternKey(pattern: string, subject: string): string {
  return `${pattern.length} ${pattern}${subject}`;
}

function wantOf(match: JsonPathMatch): Want {
  return match === 'every' || match === 'any' ? 'all' : match;
}

function askPath(path: string, want: Want): Asked[] {
  const parse = parseJsonPath(path);
  if (!parse.ok) return [];
  return [{ key: pathKey(path, want), query: { kind: 'path', path: parse.enginePath, want } }];
}

function askPattern(pattern: string, subject: string): Asked[] {
  if (pattern.length > PATTERN_LENGTH_MAX || subject.length > SUBJECT_LENGTH_MAX) return [];
  return [{ key: patternKey(pattern, subject), query: { kind: 'pattern', pattern, subject } }];
}

function whyNotAsked(pattern: string, subject: string): string {
  return pattern.length > PATTERN_LENGTH_MAX || subject.length <= SUBJECT_LENGTH_MAX
    ? `pattern_too_long: a pattern has at most ${PATTERN_LENGTH_MAX} characters`
    : `text_too_long: patterns look at texts of at most ${SUBJECT_LENGTH_MAX / 1024} KiB`;
}

function questionsOf({ assertions, extract }: StepDefinition, { text }: Answer): Asked[] {
  return [
    ...assertions.flatMap((assertion) =>
      assertion.type === 'jsonPath' ? askPath(assertion.path, wantOf(assertion.match)) : [],
    ),
    ...extract.flatMap((extraction) => {
      if (extraction.from === 'jsonPath') return askPath(extraction.path, 'first');
      return extraction.from === 'body' ? askPattern(extraction.pattern, text) : [];
    }),
  ];
}

async function ask(asked: readonly Asked[], json: string, pool: QueryPool): Promise<Answers> {
  const unique = [...new Map(asked.map((entry) => [entry.key, entry.query]))];
  const needsJson = unique.some(([, query]) => query.kind === 'path');
  const queries = unique.map(([, query]) => query);
  const answers = await pool.run({ json: needsJson ? json : null, queries });
  return new Map(unique.map(([key], index) => [key, answers[index] ?? { problem: 'unanswered' }]));
}

function findIn(answers: Answers, path: string, want: Want): FoundValues {
  const answer = answers.get(pathKey(path, want));
  if (answer === undefined) return { problem: `path_invalid: ${path} is not a path` };
  return answer;
}

function matchIn(answers: Answers, pattern: string, subject: string): QueryAnswer {
  return answers.get(patternKey(pattern, subject)) ?? { problem: whyNotAsked(pattern, subject) };
}

/** Patterns need the found values first: a first pass notes what is asked, a second one answers. */
async function assertAll(
  assertions: readonly Assertion[],
  facts: Omit<AnswerFacts, 'matches'>,
  pool: QueryPool,
): Promise<readonly AssertionOutcome[]> {
  const asked: Asked[] = [];
  const outcomes = evaluateAssertions(assertions, {
    ...facts,
    matches: (pattern, subject) => {
      asked.push(...askPattern(pattern, subject));
      return { problem: whyNotAsked(pattern, subject) };
    },
  });
  if (asked.length === 0) return outcomes;
  const answers = await ask(asked, '', pool);
  return evaluateAssertions(assertions, {
    ...facts,
    matches: (pattern, subject) => {
      const answer = matchIn(answers, pattern, subject);
      return 'problem' in answer ? answer : { ok: answer.count > 0 };
    },
  });
}

function extractOne(
  extraction: Extraction,
  { head, text }: Answer,
  answers: Answers,
): JsonValue | undefined {
  switch (extraction.from) {
    case 'status':
      return head.status;
    case 'header':
      return head.headers.get(extraction.name.toLowerCase());
    case 'jsonPath': {
      const found = findIn(answers, extraction.path, 'first');
      return 'values' in found ? found.values[0] : undefined;
    }
    case 'body': {
      const match = matchIn(answers, extraction.pattern, text);
      return 'values' in match ? match.values[0] : undefined;
    }
  }
}

function firstFailed(outcomes: readonly AssertionOutcome[]): Failure | null {
  const failed = outcomes.find(({ ok, severity }) => !ok && severity === 'fail');
  if (failed === undefined) return null;
  return { code: 'assertion_failed', message: failed.message, phase: 'assert' };
}

function extractionFailure(message: string): Failure {
  return { code: 'extraction_failed', message, phase: 'assert' };
}

interface Extractions {
  readonly extracted: StepOutcome['extracted'];
  readonly areSecretsFound: boolean;
  readonly failure: Failure | null;
}

/** All of them, although the first that finds nothing fails: what is secret has to be known. */
function extractAll(
  extract: readonly Extraction[],
  found: (extraction: Extraction) => JsonValue | undefined,
  { concealment, secretVariables }: Examiner,
): Extractions {
  const extracted: StepOutcome['extracted'][number][] = [];
  const faults: Failure[] = [];
  let areSecretsFound = true;
  for (const extraction of extract) {
    const { variable: name } = extraction;
    const isMarked = extraction.secret === true || secretVariables.has(name);
    const value = found(extraction) ?? extraction.default;
    const message =
      value === undefined ? `Nothing was found for “${name}”.` : tooLarge(name, value);
    if (value === undefined || message !== null) {
      faults.push(extractionFailure(message ?? ''));
      if (isMarked) areSecretsFound = false;
      continue;
    }
    // What holds a secret is one, whoever sent it back.
    const isSecret = isMarked || concealment.holdsSecret(JSON.stringify(value));
    if (isSecret) concealment.add(value);
    extracted.push({ name, value, ...(isSecret && { secret: true as const }) });
  }
  return { extracted, areSecretsFound, failure: faults[0] ?? null };
}

function tooLarge(name: string, value: JsonValue): string | null {
  if (JSON.stringify(value).length <= EXTRACTED_LENGTH_MAX) return null;
  return `What was found for “${name}” is larger than 32 KiB.`;
}

/**
 * Every assertion with its outcome, what was extracted, and the failure that follows, if any.
 * Extractions come first, so that nothing shows what they find to be secret.
 */
export async function examineAnswer(
  step: StepDefinition,
  { answer, timings, tls }: AttemptResult & { answer: Answer },
  examiner: Examiner,
): Promise<Examination> {
  const { pool, concealment } = examiner;
  const answers = await ask(questionsOf(step, answer), answer.text, pool);
  const found = (extraction: Extraction) => extractOne(extraction, answer, answers);
  const { failure, ...extractions } = extractAll(step.extract, found, examiner);
  const facts = {
    status: answer.head.status,
    header: (name: string) => answer.head.headers.get(name.toLowerCase()) ?? null,
    body: answer.text,
    responseTimeMs: timings.totalMs,
    tls,
    redact: concealment.redact,
    find: (path: string, match: JsonPathMatch) => findIn(answers, path, wantOf(match)),
  };
  const assertions = await assertAll(step.assertions, facts, pool);
  return { assertions, ...extractions, failure: firstFailed(assertions) ?? failure };
}
