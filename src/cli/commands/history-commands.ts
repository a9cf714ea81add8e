/** `monitors results` and `scenarios runs`: the latest results or runs of a check, newest first. */
import { type Command, Option } from 'commander';
import { CHECK_STATUSES } from '../../contracts/outcome';
import { RUN_STATUSES } from '../../contracts/records';
import { usageError } from '../cli-error';
import { formatMs } from '../durations';
import { type Collection, findResource } from '../find-resources';
import { paintStatus } from '../paint';
import { describeDegradedRun, describeResult } from '../reports/degraded-reason';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';
import { pageShape, type Resource, type Result, type Run, resultShape, runShape } from '../shapes';
import { formatTable } from '../table';

const LIMIT_DEFAULT = '20';
/** The largest page that the service returns. */
const LIMIT_MAX = 200;

export function addHistoryCommand(group: Command, cli: Cli, collection: Collection): void {
  const isMonitor = collection === 'monitors';
  const items = isMonitor ? 'results' : 'runs';
  const kind = isMonitor ? 'monitor' : 'scenario';
  group
    .command(items)
    .description(`List the latest ${items} of a ${kind}, newest first`)
    .argument('<key>', 'key, id or name')
    .addOption(
      new Option('--status <status>', 'only this status').choices(
        isMonitor ? CHECK_STATUSES : RUN_STATUSES,
      ),
    )
    .option('--region <region>', 'only this region')
    .option('--limit <count>', `how many, at most ${LIMIT_MAX}`, LIMIT_DEFAULT)
    .action((key: string, options: HistoryOptions, command: Command) =>
      runInSession(cli, command, (session) => listHistory(session, { collection, key, options })),
    );
}

interface HistoryOptions {
  readonly limit: string;
  readonly region?: string;
  readonly status?: string;
}

interface Asked {
  readonly collection: Collection;
  readonly key: string;
  readonly options: HistoryOptions;
}

async function listHistory(
  session: Session,
  { collection, key, options: { limit, region, status } }: Asked,
): ExitStatus {
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > LIMIT_MAX)
    throw usageError(`--limit ${limit} is not a whole number from 1 to ${LIMIT_MAX}.`);
  const client = session.client();
  const check = await findResource(client, collection, key);
  const path = `v1/${collection}/${check.id}/results`;
  const query = { limit: String(count), region, status };
  const { data } = await client.call(path, pageShape, { query });
  const rows =
    collection === 'monitors'
      ? data.map((item) => buildResultRow(resultShape.parse(item), check))
      : data.map((item) => buildRunRow(runShape.parse(item)));
  session.output.show({ data }, () => formatRows(session, rows, collection));
  return undefined;
}

interface Row {
  readonly status: string;
  readonly region: string;
  readonly startedAt: string | null | undefined;
  readonly ms: number | null | undefined;
  readonly reason: string | null;
}

function buildResultRow(result: Result, { degradedAboveMs }: Resource): Row {
  const { status, region, startedAt, responseTimeMs } = result;
  const reason = status === 'up' ? null : describeResult(result, degradedAboveMs);
  return { status, region, startedAt, ms: responseTimeMs, reason };
}

function buildRunRow(run: Run): Row {
  const { status, region, startedAt, durationMs } = run;
  return { status, region, startedAt, ms: durationMs, reason: describeRun(run) };
}

function describeRun(run: Run): string | null {
  const { status, failure } = run;
  if (status === 'degraded') return describeDegradedRun(run);
  if (failure == null) return null;
  return failure.stepName == null ? failure.message : `${failure.stepName}: ${failure.message}`;
}

function formatRows({ output }: Session, rows: readonly Row[], collection: Collection): string {
  if (rows.length === 0) return collection === 'monitors' ? 'No results match.' : 'No runs match.';
  return formatTable(
    rows,
    [
      {
        title: 'status',
        cell: ({ status }) => status,
        look: (text) => paintStatus(output.paint, text),
      },
      { title: 'started (UTC)', cell: ({ startedAt }) => formatInstant(startedAt), isWhole: true },
      { title: 'region', cell: ({ region }) => region },
      { title: 'time', cell: ({ ms }) => formatMs(ms) },
      { title: 'why', cell: ({ reason }) => reason ?? '' },
    ],
    output.width,
  );
}

/** Formats the exact time, like `2026-01-31 11:56:00`, because results are compared with logs. */
function formatInstant(instant: string | null | undefined): string {
  return instant == null ? '–' : new Date(instant).toISOString().slice(0, 19).replace('T', ' ');
}
