/** `status`: an overview of the account. */
import type { Command } from 'commander';
import { EXIT_CODES } from '../cli-error';
import type { Client } from '../client';
import { formatAgo, formatSeconds } from '../durations';
import { type Incident, incidentShape } from '../incident-shapes';
import { paintStatus, replaceControls } from '../paint';
import { rankStatus } from '../rank-status';
import { findDegradedReason } from '../reports/degraded-reason';
import { type Cli, runInSession, type Session } from '../session';
import { type Check, channelShape, checkShape } from '../shapes';
import { type Column, formatTable } from '../table';

const WITHOUT_TROUBLE: readonly string[] = ['up', 'paused', 'maintenance'];
/** Statuses of checks that are always listed. Checks with other statuses only fill the list up to `ROWS_MAX`. */
const FAILING: readonly string[] = ['down', 'degraded'];
const ROWS_MAX = 20;
/** Maximum number of degraded checks whose reason is looked up. Each lookup may cost a request. */
const LOOKUPS_MAX = 20;
/** The column is left out if no check has a key. Checks without a key are identified by their name. */
const KEY: Column<Check> = { title: 'key', cell: ({ key }) => key ?? '' };

export function addStatusCommand(program: Command, cli: Cli): void {
  program
    .command('status')
    .description('Show counts by status, and the checks that are not up')
    .option('--exit-code', `exit code ${EXIT_CODES.failed} when anything is down`)
    .action(({ exitCode }: { exitCode?: true }, command: Command) =>
      runInSession(cli, command, async (session) => {
        const isDown = await showStatus(session);
        return isDown && exitCode === true ? EXIT_CODES.failed : EXIT_CODES.passed;
      }),
    );
}

async function showStatus(session: Session): Promise<boolean> {
  const client = session.client();
  const [checks, openIncidents, channels] = await Promise.all([
    client.list('v1/checks', checkShape),
    client.list('v1/incidents', incidentShape, { state: 'unresolved' }),
    client.list('v1/alert-channels', channelShape),
  ]);
  const lists = {
    monitors: countStatuses(checks.filter(({ type }) => type === 'monitor')),
    scenarios: countStatuses(checks.filter(({ type }) => type === 'scenario')),
  };
  const attention = checks
    .filter(({ status }) => !WITHOUT_TROUBLE.includes(status))
    .toSorted(
      (a, b) =>
        rankStatus(a.status) - rankStatus(b.status) || findSince(a).localeCompare(findSince(b)),
    );
  const failingChannels = channels.flatMap(({ id, name, failing }) =>
    failing == null ? [] : [{ id, name, failing }],
  );
  const explained = await explain(client, attention);
  const result = {
    url: client.url,
    ...lists,
    attention: explained.map((check) => ({
      id: check.id,
      key: check.key ?? null,
      name: check.name,
      status: check.status,
      since: findSince(check),
      reason: check.reason,
    })),
    openIncidents,
    failingChannels,
  };
  const standing = { lists, attention: explained, openIncidents, failingChannels };
  session.output.show(result, () => statusText(session, standing));
  return attention.some(({ status }) => status === 'down');
}

/** Adds the reason to each check: the failure of the open incident, or why the check is degraded. */
async function explain(client: Client, checks: readonly Check[]): Promise<readonly Explained[]> {
  let lookups = 0;
  return Promise.all(
    checks.map(async (check) => {
      const known = check.failure?.message ?? null;
      if (known !== null || check.status !== 'degraded') return { ...check, reason: known };
      lookups += 1;
      const reason = lookups > LOOKUPS_MAX ? null : await findDegradedReason(client, check);
      return { ...check, reason };
    }),
  );
}

/** Returns the start of the open outage. Without an outage, returns the start of the current health. */
function findSince({ failure, healthSince }: Check): string {
  return failure?.since ?? healthSince;
}

type Counts = Readonly<Record<string, number>>;

/** Counts the checks per status, the worst status first. */
function countStatuses(checks: readonly Check[]): Counts {
  const counts: Record<string, number> = { total: checks.length };
  for (const { status } of checks.toSorted((a, b) => rankStatus(a.status) - rankStatus(b.status)))
    counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

type Explained = Check & { readonly reason: string | null };

interface Standing {
  readonly lists: Readonly<Record<'monitors' | 'scenarios', Counts>>;
  /**
   * The listed checks, sorted by status, the worst first. Checks with the same status are sorted by how long the status
   * has lasted, the longest first.
   */
  readonly attention: readonly Explained[];
  readonly openIncidents: readonly Incident[];
  readonly failingChannels: readonly {
    readonly name: string;
    readonly failing: { readonly since: string; readonly count: number; readonly error: string };
  }[];
}

function statusText(
  { output, now }: Session,
  { lists, attention, openIncidents, failingChannels }: Standing,
): string {
  const { paint, width } = output;
  const lines = Object.entries(lists).map(([name, { total = 0, ...counts }]) => {
    const parts = Object.entries(counts).map(
      ([status, count]) => `${count} ${paintStatus(paint, status)}`,
    );
    return `${name.padEnd(10)} ${total}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
  });
  const incidents = countIncidents(openIncidents);
  const channels = failingChannels.map(({ name, failing: { error, count, since } }) =>
    replaceControls(
      `${name}: ${error.replace(/\.$/, '')}, ${count} failed, the first ${formatAgo(since, now())}`,
    ),
  );
  const trouble = [
    ...incidents,
    ...channels.map((line) => `${paint('red', 'channel')}    ${line}`),
  ];
  if (attention.length === 0) return [...lines, ...trouble].join('\n');
  const failing = attention.filter(({ status }) => FAILING.includes(status));
  const shown = attention.slice(0, Math.max(failing.length, ROWS_MAX));
  const table = formatTable(
    shown,
    [
      { title: 'status', cell: ({ status }) => status, look: (text) => paintStatus(paint, text) },
      { title: 'for', cell: (check) => formatSeconds(secondsSince(findSince(check), now())) },
      ...(shown.every(({ key }) => key == null) ? [] : [KEY]),
      { title: 'name', cell: ({ name }) => name },
      { title: 'reason', cell: ({ reason }) => reason ?? '' },
    ],
    width,
  );
  const left = attention.length - shown.length;
  return [...lines, ...trouble, '', table, ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
}

/** Counts unresolved incidents. Returns no line if there are none. */
function countIncidents(incidents: readonly Incident[]): readonly string[] {
  if (incidents.length === 0) return [];
  const acknowledged = incidents.filter(({ state }) => state === 'acknowledged').length;
  const open = `incidents  ${incidents.length - acknowledged} open`;
  return [acknowledged === 0 ? open : `${open}, ${acknowledged} acknowledged`];
}

function secondsSince(instant: string, nowMs: number): number {
  return Math.max(0, Math.round((nowMs - Date.parse(instant)) / 1_000));
}
