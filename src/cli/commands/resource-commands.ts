/** `monitors` and `scenarios`: list, show, results or runs, pause, resume, delete, check now. */
import { type Command, Option } from 'commander';
import { confirm } from '../ask';
import { checkMonitors } from '../check-monitors';
import { EXIT_CODES } from '../cli-error';
import { formatAgo, parseDuration } from '../durations';
import { type Collection, findResource, findResources } from '../find-resources';
import { measureWidth, paintStatus } from '../paint';
import { rankStatus } from '../rank-status';
import { formatDefinition, formatRhythm } from '../resource-text';
import { addRunOptions, runScenarios } from '../run-scenarios';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';
import { type Resource, resourceShape } from '../shapes';
import { formatTable } from '../table';
import { addHistoryCommand } from './history-commands';
import { addSetCommand } from './set-command';

export function addResourceCommands(program: Command, cli: Cli, collection: Collection): void {
  const group = program.command(collection).description(`List and manage ${collection}`);
  addReading(group, cli, collection);
  addHistoryCommand(group, cli, collection);
  addChanging(group, cli, collection);
  addSetCommand(group, cli, collection);
  addDeleting(group, cli, collection);
  if (collection === 'monitors') addChecking(group, cli);
  else
    addRunOptions(group.command('run')).action(
      (keys: string[], options: object, command: Command) =>
        runInSession(cli, command, (session) => runScenarios(session, keys, options)),
    );
}

function addReading(group: Command, cli: Cli, collection: Collection): void {
  const kind = collection.slice(0, -1);
  group
    .command('list')
    .alias('ls')
    .description(`List ${collection}`)
    .option('--tag <tag>', 'only those with the tag')
    .option('--group <group>', 'only those in the group')
    .option('--region <region>', 'only those checked from the region')
    .addOption(
      new Option('--health <health>', 'only this health').choices([
        'pending',
        'up',
        'degraded',
        'down',
        'unknown',
      ]),
    )
    .addOption(new Option('--state <state>', 'only this state').choices(['active', 'paused']))
    .option('--search <text>', 'only those with the text in name, key or URL')
    .action((options: Readonly<Record<string, string>>, command: Command) =>
      runInSession(cli, command, async (session) => {
        const { tag, group: inGroup, region, health, state, search } = options;
        const query = { tag, group: inGroup, region, health, state, q: search };
        const data = await session.client().list(`v1/${collection}`, resourceShape, query);
        session.output.show({ data }, () => listText(session, data, collection));
        return undefined;
      }),
    );
  group
    .command('get')
    .description(`Show one ${kind} by key, id or name`)
    .argument('<key>')
    .action((key: string, _options: object, command: Command) =>
      runInSession(cli, command, async (session) => {
        const found = await findResource(session.client(), collection, key);
        session.output.show(found, () => formatDefinition(session, found));
        return undefined;
      }),
    );
}

function listText(session: Session, data: readonly Resource[], collection: Collection): string {
  if (data.length === 0) return `No ${collection} match.`;
  const { output, now } = session;
  const rows = data.toSorted((a, b) => rankStatus(a.status) - rankStatus(b.status));
  const format = (identify: (row: Resource) => string, width: number | null): string =>
    formatTable(
      rows,
      [
        {
          title: 'status',
          cell: ({ status }) => status,
          look: (text) => paintStatus(output.paint, text),
        },
        ...(rows.every((row) => identify(row) === '') ? [] : [{ title: 'key', cell: identify }]),
        { title: 'name', cell: ({ name }) => name },
        { title: 'every', cell: ({ interval }) => formatRhythm(interval) },
        { title: 'regions', cell: ({ regions = [] }) => regions.join(',') },
        { title: 'last', cell: ({ lastCheckedAt }) => formatAgo(lastCheckedAt, now()) },
      ],
      width,
    );
  const { width } = output;
  const withIds = format(({ key, id }) => key ?? id, null);
  const isFitting =
    width === null || withIds.split('\n').every((line) => measureWidth(line) <= width);
  // A cut id is useless, so the ids are left out if they do not fit. Checks without a key are then identified by their
  // name.
  return isFitting ? withIds : format(({ key }) => key ?? '', width);
}

function addChanging(group: Command, cli: Cli, collection: Collection): void {
  group
    .command('pause')
    .description('Pause checks, for a time or until resumed')
    .argument('[keys...]', 'keys, ids or names')
    .option('--tag <tag>', 'all checks with the tag')
    .option('--for <duration>', 'resume automatically after 30m, 2h, 1d')
    .option('--reason <text>', 'a reason, shown to everyone who views the check')
    .action((references: string[], options: Readonly<Record<string, string>>, command: Command) =>
      runInSession(cli, command, async (session) => {
        const { tag, for: duration, reason } = options;
        const until =
          duration === undefined
            ? undefined
            : new Date(session.now() + parseDuration(duration)).toISOString();
        const body = {
          ...(until !== undefined && { until }),
          ...(reason !== undefined && { reason }),
        };
        return actOnEach(session, collection, { references, tag, verb: 'pause', body });
      }),
    );
  group
    .command('resume')
    .description('Resume checks from the next slot')
    .argument('[keys...]', 'keys, ids or names')
    .option('--tag <tag>', 'all checks with the tag')
    .action((references: string[], { tag }: { tag?: string }, command: Command) =>
      runInSession(cli, command, async (session) =>
        actOnEach(session, collection, { references, tag, verb: 'resume', body: {} }),
      ),
    );
}

interface Act {
  readonly references: readonly string[];
  readonly tag: string | undefined;
  readonly verb: 'pause' | 'resume';
  readonly body: object;
}

async function actOnEach(
  session: Session,
  collection: Collection,
  { body, ...selection }: Act,
): ExitStatus {
  const client = session.client();
  const data: Resource[] = [];
  for (const { id } of await findResources(client, collection, selection)) {
    const path = `v1/${collection}/${id}/${selection.verb}`;
    data.push(await client.call(path, resourceShape, { method: 'POST', body }));
  }
  session.output.show({ data }, () => listText(session, data, collection));
  return undefined;
}

function addDeleting(group: Command, cli: Cli, collection: Collection): void {
  group
    .command('delete')
    .description('Delete checks with all results; asks first')
    .argument('[keys...]', 'keys, ids or names')
    .option('--tag <tag>', 'all checks with the tag')
    .option('-y, --yes', 'do not ask')
    .action((references: string[], { tag, yes }: { tag?: string; yes?: true }, command: Command) =>
      runInSession(cli, command, async (session) => {
        const selection = { references, tag, verb: 'delete' };
        const found = await findResources(session.client(), collection, selection);
        const names = found.map(({ key, name }) => key ?? name).join(', ');
        if (yes !== true) await confirm(session, `Delete ${names} with all results?`);
        for (const { id } of found)
          await session.client().send(`v1/${collection}/${id}`, { method: 'DELETE' });
        const deleted = found.map(({ id, key, name }) => ({ id, key: key ?? null, name }));
        session.output.show({ deleted }, () => `Deleted ${names}.`);
        return undefined;
      }),
    );
}

function addChecking(group: Command, cli: Cli): void {
  group
    .command('run')
    .description('Check now; with --wait, print the result')
    .argument('[keys...]', 'keys, ids or names')
    .option('--tag <tag>', 'all checks with the tag')
    .option('--wait', `wait for the results; exit code ${EXIT_CODES.failed} when one is down`)
    .option('--timeout <duration>', 'how long to wait', '2m')
    .action((references: string[], options: Readonly<Record<string, string>>, command: Command) =>
      runInSession(cli, command, async (session) => {
        const selection = { references, tag: options['tag'], verb: 'run' };
        const found = await findResources(session.client(), 'monitors', selection);
        const timeoutMs = parseDuration(options['timeout'] ?? '2m');
        return checkMonitors(session, found, { isWaiting: Boolean(options['wait']), timeoutMs });
      }),
    );
}
