/** Writes runs and results as JUnit XML, the format that all CI systems can show. */
import junit from 'junit-report-builder';
import { writeText } from '../files/file-access';
import type { Result, Run } from '../shapes';
import { buildRunUrl, describeExchange, type Exchange } from './exchange-text';

export interface JunitSuite {
  readonly name: string;
  readonly startedAt: string | null;
  readonly cases: readonly JunitCase[];
}

export interface JunitCase {
  readonly name: string;
  readonly className: string;
  readonly durationMs: number;
  readonly outcome: 'passed' | 'failed' | 'error' | 'skipped';
  readonly message: string;
  readonly detail: string;
}

/** Builds the suite for one run. The text of a failure names the page of the run in the dashboard. */
export function buildRunSuite(name: string, run: Run, serviceUrl: string): JunitSuite {
  const url = buildRunUrl(serviceUrl, run);
  const cases = run.steps.map((step): JunitCase => {
    const outcome = outcomeOfStep(step.status);
    return {
      name: step.name,
      className: `${name} (${run.region})`,
      durationMs: step.responseTimeMs ?? 0,
      outcome,
      message: step.failure?.message ?? step.skippedReason ?? '',
      detail: buildDetail(step, url),
    };
  });
  return {
    name: `${name} (${run.region})`,
    startedAt: run.startedAt ?? null,
    cases: hasVerdict(run, cases)
      ? cases
      : [...cases, { ...buildVerdict(name, run), detail: url ?? '' }],
  };
}

/** Returns the unmet assertions, the request and response, and the page in the dashboard, one per line. */
function buildDetail(
  measured: Exchange & Pick<Result, 'assertions'>,
  url: string | null = null,
): string {
  const unmet = (measured.assertions ?? []).filter(({ ok }) => !ok);
  return [
    ...unmet.map(({ message }) => message ?? ''),
    ...describeExchange(measured),
    ...(url === null ? [] : [url]),
  ].join('\n');
}

/**
 * False if the run did not pass although none of its cases failed. The report then gets an additional case for the
 * whole run.
 */
function hasVerdict({ status }: Run, cases: readonly JunitCase[]): boolean {
  const isFine = status === 'passed' || status === 'degraded';
  return isFine || cases.some(({ outcome }) => outcome === 'failed' || outcome === 'error');
}

function buildVerdict(name: string, { region, status, failure }: Run): JunitCase {
  return {
    name: 'the whole run',
    className: `${name} (${region})`,
    durationMs: 0,
    outcome: status === 'failed' || status === 'timed_out' ? 'failed' : 'error',
    message: failure?.message ?? `ended as ${status}`,
    detail: '',
  };
}

function outcomeOfStep(status: string): JunitCase['outcome'] {
  if (status === 'passed') return 'passed';
  if (status === 'failed') return 'failed';
  return status === 'error' ? 'error' : 'skipped';
}

/** Builds the suite for one check of a monitor. */
export function buildResultSuite(name: string, result: Result): JunitSuite {
  const outcome = { up: 'passed', degraded: 'passed', down: 'failed' } as const;
  const known = Object.entries(outcome).find(([status]) => status === result.status);
  return {
    name: `${name} (${result.region})`,
    startedAt: result.startedAt ?? null,
    cases: [
      {
        name,
        className: `${name} (${result.region})`,
        durationMs: result.responseTimeMs ?? 0,
        outcome: known?.[1] ?? 'error',
        message: result.failure?.message ?? '',
        detail: buildDetail(result),
      },
    ],
  };
}

/** Writes the file and creates its folders. Throws a usage error if that fails. */
export function writeJunit(file: string, suites: readonly JunitSuite[]): void {
  const builder = junit.newBuilder();
  for (const { name, startedAt, cases } of suites) {
    const suite = builder.testSuite().name(name);
    if (startedAt !== null) suite.timestamp(startedAt);
    for (const { name: title, className, durationMs, outcome, message, detail } of cases) {
      const testCase = suite
        .testCase()
        .className(className)
        .name(title)
        .time(Math.round(durationMs) / 1_000);
      if (outcome === 'failed') testCase.failure(message).stacktrace(detail);
      else if (outcome === 'error') testCase.error(message, undefined, detail);
      else if (outcome === 'skipped') testCase.skipped();
    }
  }
  writeText(file, builder.build());
}
