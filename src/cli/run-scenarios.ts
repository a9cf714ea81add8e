/** Runs saved scenarios now, from a pipeline or by hand. On request, waits until the runs have ended. */
import { type Command, Option } from 'commander';
import { readRunSource } from './ci-source';
import { EXIT_CODES, type ExitCode } from './cli-error';
import type { Client } from './client';
import { parseDuration } from './durations';
import { findResources } from './find-resources';
import { parseVariables } from './parse-variables';
import { buildRunSuite, writeJunit } from './reports/junit-report';
import { formatRuns } from './reports/run-text';
import type { ExitStatus, Session } from './session';
import { type Resource, type Run, requestedRunsShape, runShape } from './shapes';

const LONG_POLL_SECONDS = 30;
const LONG_POLL_TIMEOUT_MS = 45_000;
const OPEN: readonly string[] = ['queued', 'running', 'waiting'];

interface RunOptions {
  readonly tag?: string;
  readonly wait?: boolean;
  readonly timeout?: string;
  readonly var?: readonly string[];
  readonly region?: readonly string[];
  readonly label?: string;
  readonly environment?: string;
  readonly junit?: string;
  readonly notify?: boolean;
  readonly countInUptime?: boolean;
}

/** Adds the options that `run` and `scenarios run` share. */
export function addRunOptions(command: Command): Command {
  const collect = (value: string, previous: readonly string[] = []) => [...previous, value];
  return command
    .description('Run scenarios now; with --wait, fail if a run fails')
    .argument('[keys...]', 'keys, ids or names of scenarios')
    .option('--tag <tag>', 'all scenarios with the tag')
    .option('-w, --wait', 'wait for the end of every run')
    .option('--timeout <duration>', 'how long to wait', '10m')
    .addOption(
      new Option('--var <name=value>', 'a variable; name:=json for non-text values').argParser(
        collect,
      ),
    )
    .addOption(new Option('--region <region>', 'region to run in; repeatable').argParser(collect))
    .option('--environment <key>', 'an environment, instead of the one of each scenario')
    .option('--label <text>', 'a label for the runs')
    .option('--junit <file>', 'write a JUnit report; waits until the runs have ended')
    .option('--notify', 'send alerts for these runs')
    .option('--count-in-uptime', 'count these runs in the uptime');
}

export async function runScenarios(
  session: Session,
  references: readonly string[],
  options: RunOptions,
): ExitStatus {
  const { tag, junit } = options;
  const isWaiting = options.wait === true || junit !== undefined;
  const timeoutMs = parseDuration(options.timeout ?? '10m');
  const body = buildBody(session, options);
  const client = session.client();
  const scenarios = await findResources(client, 'scenarios', { references, tag, verb: 'run' });
  const requested: Requested[] = [];
  for (const scenario of scenarios) requested.push(...(await request(client, scenario, body)));
  if (!isWaiting) {
    const runs = requested.map(({ runId, scenario }) => ({ id: runId, scenarioId: scenario.id }));
    session.output.show({ runs }, () => runs.map(({ id }) => `${id} has been started.`).join('\n'));
    return undefined;
  }
  const deadlineMs = session.now() + timeoutMs;
  const report = progressReporter(session, requested.length);
  const ended = await Promise.all(
    requested.map((run) => waitForEnd(session, run, { deadlineMs, report })),
  ).finally(() => session.output.clearProgress());
  const runs = ended.map(({ scenario, run }) => ({ scenarioKey: scenario.key ?? null, ...run }));
  if (junit !== undefined)
    writeJunit(
      junit,
      ended.map(({ scenario, run }) => buildRunSuite(formatName(scenario), run, client.url)),
    );
  session.output.show({ runs }, () =>
    formatRuns(
      { output: session.output, serviceUrl: client.url },
      ended.map(({ scenario, run }) => ({ name: formatName(scenario), run })),
    ),
  );
  return chooseExitCode(ended.map(({ run }) => run));
}

function buildBody(session: Session, options: RunOptions) {
  const { region, label, environment, notify, countInUptime } = options;
  const source = readRunSource(session.environment);
  return {
    variables: parseVariables(options.var ?? []),
    ...(region !== undefined && { regions: region }),
    ...(label !== undefined && { label }),
    ...(environment !== undefined && { environment }),
    ...(source !== null && { source }),
    ...(notify === true && { notify }),
    ...(countInUptime === true && { countInUptime }),
  };
}

interface Requested {
  readonly scenario: Resource;
  readonly runId: string;
  readonly region: string;
}

async function request(client: Client, scenario: Resource, body: object): Promise<Requested[]> {
  const path = `v1/scenarios/${scenario.id}/run`;
  const { runs } = await client.call(path, requestedRunsShape, { method: 'POST', body });
  return runs.map(({ id, region }) => ({ scenario, runId: id, region }));
}

interface Waiting {
  readonly deadlineMs: number;
  readonly report: (requested: Requested, run: Run) => void;
}

/** Reports the state of the runs each time it changes. */
function progressReporter({ output }: Session, total: number): Waiting['report'] {
  const reported = new Map<string, string>();
  const ended = new Set<string>();
  return ({ scenario, runId, region }, run) => {
    const progress = formatProgress(run);
    if (reported.get(runId) === progress) return;
    reported.set(runId, progress);
    if (!OPEN.includes(run.status)) ended.add(runId);
    const line = `${formatName(scenario)} in ${region}: ${progress}`;
    output.progress(line, total === 1 ? line : `${ended.size} of ${total} ended; ${line}`);
  };
}

/** Resolves to the ended run, or to its state when time runs out. */
async function waitForEnd(
  session: Session,
  requested: Requested,
  { deadlineMs, report }: Waiting,
): Promise<{ readonly scenario: Resource; readonly run: Run }> {
  const client = session.client();
  const { scenario, runId } = requested;
  const path = `v1/scenarios/${scenario.id}/results/${runId}`;
  for (;;) {
    const leftSeconds = Math.ceil((deadlineMs - session.now()) / 1_000);
    const wait = String(Math.max(0, Math.min(LONG_POLL_SECONDS, leftSeconds)));
    const run = await client.call(path, runShape, {
      query: { wait },
      timeoutMs: LONG_POLL_TIMEOUT_MS,
    });
    report(requested, run);
    if (!OPEN.includes(run.status) || session.now() >= deadlineMs) return { scenario, run };
  }
}

function formatProgress({ status, steps }: Run): string {
  const at = steps.find((step) => step.status === 'running' || step.status === 'waiting');
  return at === undefined || !OPEN.includes(status) ? status : `${at.status}, ${at.name}`;
}

function formatName({ key, name }: Resource): string {
  return key ?? name;
}

/**
 * Chooses the exit code for several runs. A failed run takes precedence over a run without a verdict. A degraded run
 * counts as passed.
 */
export function chooseExitCode(runs: readonly Pick<Run, 'status'>[]): ExitCode {
  const statuses = runs.map(({ status }) => status);
  if (statuses.some((status) => status === 'failed' || status === 'timed_out'))
    return EXIT_CODES.failed;
  const isFine = statuses.every((status) => status === 'passed' || status === 'degraded');
  return isFine ? EXIT_CODES.passed : EXIT_CODES.inconclusive;
}
