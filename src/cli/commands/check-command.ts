/** `check`: tests unsaved definitions from a region. */
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { expandMatrices } from '../../domain/definitions/matrix';
import { CliError, EXIT_CODES, usageError } from '../cli-error';
import type { Client } from '../client';
import { formatMs } from '../durations';
import type { DefinitionSet, Located } from '../files/definition-files';
import { addFileOptions, type FileOptions, readFiles } from '../files/read-files';
import { paintStatus, replaceControls } from '../paint';
import { describeExchange } from '../reports/exchange-text';
import {
  buildResultSuite,
  buildRunSuite,
  type JunitSuite,
  writeJunit,
} from '../reports/junit-report';
import { formatRuns } from '../reports/run-text';
import { chooseExitCode } from '../run-scenarios';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';
import { type Result, type Run, resultShape, runShape } from '../shapes';

/** Time limit of a request. Even the longest test of a monitor or scenario needs less time. */
const TEST_TIMEOUT_MS = 330_000;
/** Fields that matter only for saved definitions. A test ignores them. */
const SAVED_FIELDS: readonly string[] = ['id', 'alerts', 'dependsOn'];

interface CheckOptions extends FileOptions {
  readonly region?: string;
  readonly only?: readonly string[];
  readonly junit?: string;
}

interface Tested {
  readonly name: string;
  /** File and line of the definition. */
  readonly at: string;
  readonly result: Result | null;
  readonly run: Run | null;
}

export function addCheckCommand(program: Command, cli: Cli): void {
  const collect = (value: string, previous: readonly string[] = []) => [...previous, value];
  const checking = program.command('check').description('Test definitions without saving');
  addFileOptions(checking)
    .option('--region <region>', 'region to check from; default is the first region')
    .addOption(
      new Option('--only <key>', 'only the definition with the key; repeatable').argParser(collect),
    )
    .option('--junit <file>', 'write a JUnit report')
    .action((options: CheckOptions, command: Command) =>
      runInSession(cli, command, (session) => check(session, options)),
    );
}

async function check(session: Session, options: CheckOptions): ExitStatus {
  const { output } = session;
  const files = await readFiles(session, options);
  const client = session.client();
  const region = options.region ?? (await firstRegion(client));
  const tested: Tested[] = [];
  for (const { collection, located } of chosen(files, options.only)) {
    const name = formatName(located);
    output.progress(`${name} from ${region} …`);
    const test = { collection, located, name, region };
    tested.push(await testOne(client, test).finally(() => output.clearProgress()));
  }
  const results = tested.flatMap(({ name, at, result }) =>
    result === null ? [] : [{ name, at, result }],
  );
  const runs = tested.flatMap(({ name, at, run }) => (run === null ? [] : [{ name, at, run }]));
  if (options.junit !== undefined)
    writeJunit(
      options.junit,
      tested.map((test) => buildSuite(test, client.url)),
    );
  output.show({ region, results: results.map(withName), runs: runs.map(withRunName) }, () =>
    [
      ...results.map(({ name, result }) => resultText(session, name, result)),
      ...(runs.length > 0 ? [formatRuns({ output, serviceUrl: client.url }, runs)] : []),
    ].join('\n'),
  );
  return chooseExitCode([
    ...runs.map(({ run }) => run),
    ...results.map(({ result }) => formatVerdict(result)),
  ]);
}

function buildSuite({ name, result, run }: Tested, serviceUrl: string): JunitSuite {
  if (result !== null) return buildResultSuite(name, result);
  return run === null ? { name, startedAt: null, cases: [] } : buildRunSuite(name, run, serviceUrl);
}

function formatVerdict({ status }: Result) {
  const words: Readonly<Record<string, string>> = {
    up: 'passed',
    degraded: 'degraded',
    down: 'failed',
  };
  return { status: words[status] ?? 'error' };
}

function withName({ result, ...test }: { name: string; at: string; result: Result }) {
  return { ...test, ...result };
}

function withRunName({ run, ...test }: { name: string; at: string; run: Run }) {
  return { ...test, ...run };
}

interface Test {
  readonly collection: 'monitors' | 'scenarios';
  readonly located: Located;
  readonly name: string;
  readonly region: string;
}

async function testOne(
  client: Client,
  { collection, located, name, region }: Test,
): Promise<Tested> {
  const definition = Object.fromEntries(
    Object.entries(located.value).filter(([field]) => !SAVED_FIELDS.includes(field)),
  );
  const body = { ...definition, region };
  const at = located.origin;
  const call = { method: 'POST', body, timeoutMs: TEST_TIMEOUT_MS } as const;
  try {
    if (collection === 'monitors') {
      const result = await client.call('v1/monitors/test', resultShape, call);
      return { name, at, result, run: null };
    }
    return { name, at, result: null, run: await client.call('v1/scenarios/test', runShape, call) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const { exitCode, message, hint, code, errors } = error;
    const details = {
      errors,
      ...(hint !== undefined && { hint }),
      ...(code !== undefined && { code }),
    };
    throw new CliError(exitCode, `${located.origin}: ${name}: ${message}`, details);
  }
}

function chosen({ lists }: DefinitionSet, only: readonly string[] | undefined) {
  const all = (['monitors', 'scenarios'] as const).flatMap((collection) =>
    expandLocated(lists[collection]).map((located) => ({ collection, located })),
  );
  if (all.length === 0) throw usageError('The files contain no monitor or scenario.');
  if (only === undefined) return all;
  const names = all.map(({ located }) => formatName(located));
  const missing = only.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw usageError(`The files contain nothing with the key ${missing.join(' or ')}.`);
  return all.filter(({ located }) => only.includes(formatName(located)));
}

/** Expands a matrix into one definition per combination. Throws a usage error for an invalid matrix. */
function expandLocated(list: readonly Located[]): readonly Located[] {
  return expandMatrices(list.map(({ value }) => value)).map(({ entry, index, faults: [fault] }) => {
    const origin = list[index]?.origin ?? '';
    if (fault === undefined) return { value: entry, origin };
    throw usageError(`${origin}: ${fault.path} ${fault.message}.`);
  });
}

function formatName({ value, origin }: Located): string {
  const { key, name } = value;
  if (typeof key === 'string') return key;
  return typeof name === 'string' ? name : origin;
}

const regionsShape = z.object({ data: z.array(z.object({ id: z.string(), status: z.string() })) });

async function firstRegion(client: Client): Promise<string> {
  const { data } = await client.call('v1/regions', regionsShape);
  const region = data.find(({ status }) => status === 'online') ?? data[0];
  if (region !== undefined) return region.id;
  throw new CliError(EXIT_CODES.notReached, 'The service has no region to check from.', {
    hint: 'Start a probe.',
  });
}

function resultText({ output }: Session, name: string, result: Result): string {
  const { status, region, responseTimeMs, response, failure } = result;
  const facts = response?.status == null ? '' : `, status ${response.status}`;
  const head = `${paintStatus(output.paint, status)} ${replaceControls(name)} in ${region}, ${formatMs(responseTimeMs)}${facts}`;
  const faults = (result.assertions ?? [])
    .filter(({ ok }) => !ok)
    .map(({ message }) => message ?? '');
  const exchange = status === 'down' ? describeExchange(result) : [];
  const reasons = new Set([...(failure ? [failure.message] : []), ...faults, ...exchange]);
  return [head, ...[...reasons].map((reason) => `  ${replaceControls(reason)}`)].join('\n');
}
