/** `status`: how the account stands, in one look. */
import type { Command } from 'commander';
import { EXIT_CODES } from '../cli-error';
import { ago } from '../durations';
import { harmless, paintStatus } from '../paint';
import { type Cli, type Session, within } from '../session';
import { channelShape, incidentShape, type Resource, resourceShape } from '../shapes';
import { tableOf } from '../table';

const QUIET: readonly string[] = ['up', 'paused', 'maintenance'];

export function addStatusCommand(program: Command, cli: Cli): void {
  program
    .command('status')
    .description('Show what is up and what is not')
    .option('--exit-code', `exit code ${EXIT_CODES.failed} when anything is down`)
    .action(({ exitCode }: { exitCode?: true }, command: Command) =>
      within(cli, command, async (session) => {
        const isDown = await showStatus(session);
        return isDown && exitCode === true ? EXIT_CODES.failed : EXIT_CODES.passed;
      }),
    );
}

async function showStatus(session: Session): Promise<boolean> {
  const client = session.client();
  const [monitors, scenarios, openIncidents, channels] = await Promise.all([
    client.list('v1/monitors', resourceShape),
    client.list('v1/scenarios', resourceShape),
    client.list('v1/incidents', incidentShape, { state: 'unresolved' }),
    client.list('v1/alert-channels', channelShape),
  ]);
  const lists = { monitors: countsOf(monitors), scenarios: countsOf(scenarios) };
  const attention = [...monitors, ...scenarios].filter(({ status }) => !QUIET.includes(status));
  const failingChannels = channels.flatMap(({ id, name, failing }) =>
    failing == null ? [] : [{ id, name, failing }],
  );
  const result = {
    url: client.url,
    ...lists,
    attention: attention.map(({ id, key, name, status }) => ({
      id,
      key: key ?? null,
      name,
      status,
    })),
    openIncidents,
    failingChannels,
  };
  const standing = { lists, attention, openIncidents, failingChannels };
  session.output.show(result, () => statusText(session, standing));
  return attention.some(({ status }) => status === 'down');
}

type Counts = Readonly<Record<string, number>>;

function countsOf(resources: readonly Resource[]): Counts {
  const counts: Record<string, number> = { total: resources.length };
  for (const { status } of resources) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

interface Standing {
  readonly lists: Readonly<Record<'monitors' | 'scenarios', Counts>>;
  readonly attention: readonly Resource[];
  readonly openIncidents: readonly {
    readonly openedAt: string;
    readonly resourceName?: string | null | undefined;
  }[];
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
  const incidents = openIncidents.map(
    ({ resourceName, openedAt }) =>
      `${paint('red', 'incident')}   ${harmless(resourceName ?? '')}, opened ${ago(openedAt, now())}`,
  );
  const channels = failingChannels.map(({ name, failing: { error, count, since } }) =>
    harmless(
      `${name}: ${error.replace(/\.$/, '')}, ${count} failed, the first ${ago(since, now())}`,
    ),
  );
  const trouble = [
    ...incidents,
    ...channels.map((line) => `${paint('red', 'channel')}    ${line}`),
  ];
  if (attention.length === 0) return [...lines, ...trouble].join('\n');
  const table = tableOf(
    attention,
    [
      { title: 'status', cell: ({ status }) => status, look: (text) => paintStatus(paint, text) },
      { title: 'key', cell: ({ key, id }) => key ?? id },
      { title: 'name', cell: ({ name }) => name },
      { title: 'last', cell: ({ lastCheckedAt }) => ago(lastCheckedAt, now()) },
    ],
    width,
  );
  return [...lines, ...trouble, '', table].join('\n');
}
