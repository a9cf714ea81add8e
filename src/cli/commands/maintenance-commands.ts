/** `maintenance`: manages maintenance windows, for example for the duration of a command. */
import type { Command } from 'commander';
import { Option } from 'commander';
import { z } from 'zod';
import { CliError, EXIT_CODES, usageError } from '../cli-error';
import type { Client } from '../client';
import { formatAgo, parseDuration } from '../durations';
import { findResource } from '../find-resources';
import { runCommand } from '../jobs/run-command';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';
import { windowShape } from '../shapes';
import { formatTable } from '../table';

const PATH = 'v1/maintenance-windows';
const MINUTE_MS = 60_000;

interface StartOptions {
  readonly for?: string;
  readonly minutes?: string;
  readonly tag?: readonly string[];
  readonly group?: readonly string[];
  readonly monitor?: readonly string[];
  readonly scenario?: readonly string[];
  readonly all?: true;
  readonly mode: string;
  readonly name?: string;
  readonly strict?: true;
}

export function addMaintenanceCommands(program: Command, cli: Cli): void {
  const group = program
    .command('maintenance')
    .description('Start, end and list maintenance windows');
  addStart(group, cli);
  group
    .command('end')
    .description('End a window that is in progress')
    .argument('<id>')
    .action((id: string, _options: object, command: Command) =>
      runInSession(cli, command, async (session) => {
        const path = `${PATH}/${encodeURIComponent(id)}/end`;
        const ended = await session.client().call(path, windowShape, { method: 'POST', body: {} });
        session.output.show(ended, () => `Ended ${ended.id}.`);
        return undefined;
      }),
    );
  group
    .command('list')
    .alias('ls')
    .description('List maintenance windows')
    .action((_options: object, command: Command) => runInSession(cli, command, listWindows));
}

function addStart(group: Command, cli: Cli): void {
  const collect = (value: string, previous: readonly string[] = []) => [...previous, value];
  const many = (flag: string, text: string) =>
    new Option(flag, `${text}; repeatable`).argParser(collect);
  group
    .command('start')
    .description(
      'Start maintenance now. With -- COMMAND it ends when the command ends, with its exit code',
    )
    .option('--for <duration>', 'how long at most: 30m, 2h')
    .addOption(new Option('--minutes <minutes>', 'the same as --for, in minutes').conflicts('for'))
    .addOption(many('--tag <tag>', 'checks with the tag'))
    .addOption(many('--group <group>', 'checks in the group'))
    .addOption(many('--monitor <key>', 'a monitor'))
    .addOption(many('--scenario <key>', 'a scenario'))
    .option('--all', 'everything')
    .addOption(
      new Option('--mode <mode>', 'mute: keep checking, send no alerts; pause: do not check')
        .choices(['mute', 'pause'])
        .default('mute'),
    )
    .option('--name <name>', 'name of the window')
    .option('--strict', 'fail before it starts if no check has the tag or group')
    .argument('[command...]', 'after --, the command to run')
    .action((words: string[], options: StartOptions, command: Command) =>
      runInSession(cli, command, (session) => start(session, words, options)),
    );
}

async function start(
  session: Session,
  words: readonly string[],
  options: StartOptions,
): ExitStatus {
  const { output } = session;
  const client = session.client();
  const minutes = readMinutes(options);
  await warnOfNothing(session, options);
  const [program, ...rest] = words;
  const body = {
    minutes,
    mode: options.mode,
    target: await findTarget(client, options),
    name:
      options.name ??
      (program === undefined ? 'Maintenance' : `Maintenance: ${program}`.slice(0, 200)),
  };
  const window = await client.call(`${PATH}/now`, windowShape, { method: 'POST', body });
  if (program === undefined) {
    output.show(
      window,
      () =>
        `Maintenance ${window.id} for ${minutes} min.\nEnd it with: keepwatch maintenance end ${window.id}`,
    );
    return EXIT_CODES.passed;
  }
  output.note(`Maintenance ${window.id} has started.`);
  try {
    return await runCommand(session, { program, parameters: rest });
  } finally {
    await endQuietly(session, window.id, minutes);
  }
}

/** Returns the duration in minutes. Seconds are rounded up, so that the maintenance is never shorter than requested. */
function readMinutes({ for: duration, minutes: given }: StartOptions): number {
  if (duration === undefined && given === undefined)
    throw usageError('The duration of the maintenance is missing.', 'Use --for 30m.');
  if (duration === undefined) {
    const minutes = Number(given);
    if (Number.isInteger(minutes) && minutes >= 1) return minutes;
    throw usageError(`--minutes ${given} is not a whole number of minutes.`);
  }
  const ms = parseDuration(duration);
  // A number without a unit is in seconds, so `--for 30` is most likely a mistake.
  if (ms < MINUTE_MS) throw usageError(`--for ${duration} is shorter than a minute.`, 'Write 30m.');
  return Math.ceil(ms / MINUTE_MS);
}

const pageShape = z.looseObject({ data: z.array(z.unknown()) });

/**
 * Warns of each tag or group that matches no check, or throws if `strict` is set. If a tag is mistyped, its
 * checks would still send alerts during the maintenance.
 */
async function warnOfNothing(
  { client, output }: Session,
  { tag: tags = [], group: groups = [], strict }: StartOptions,
): Promise<void> {
  const asked = [
    ...tags.map((tag) => ({ query: { tag }, words: `No check has the tag ${tag}.` })),
    ...groups.map((group) => ({ query: { group }, words: `No check is in the group ${group}.` })),
  ];
  for (const { query, words } of asked) {
    const page = await client().call('v1/checks', pageShape, { query: { ...query, limit: '1' } });
    if (page.data.length > 0) continue;
    if (strict === true) throw new CliError(EXIT_CODES.rejected, words, { code: 'not_found' });
    output.warn(words);
  }
}

/** Ends the window. A failure here does not change the exit code, because the window also ends by itself. */
async function endQuietly({ client, output }: Session, id: string, minutes: number): Promise<void> {
  try {
    await client().send(`${PATH}/${id}/end`, { method: 'POST', body: {} });
    output.note(`Maintenance ${id} has ended.`);
  } catch {
    output.warn(`Maintenance ${id} could not be ended; it ends after ${minutes} min.`);
  }
}

async function findTarget(client: Client, options: StartOptions) {
  const { tag: tags = [], group: groups = [], monitor = [], scenario = [], all = false } = options;
  if (all) return { all };
  const ids: string[] = [];
  for (const key of monitor) ids.push((await findResource(client, 'monitors', key)).id);
  for (const key of scenario) ids.push((await findResource(client, 'scenarios', key)).id);
  if (ids.length + tags.length + groups.length > 0) return { ids, tags, groups };
  throw usageError(
    'The maintenance needs a target.',
    'Use --tag, --group, --monitor, --scenario or --all.',
  );
}

async function listWindows({ client, output, now }: Session): ExitStatus {
  const data = await client().list(PATH, windowShape);
  output.show({ data }, () => {
    if (data.length === 0) return 'There are no maintenance windows.';
    return formatTable(
      data,
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'state', cell: ({ state }) => state ?? '' },
        { title: 'name', cell: ({ name }) => name },
        { title: 'mode', cell: ({ mode }) => mode },
        {
          title: 'next',
          cell: ({ nextOccurrences }) => formatAgo(nextOccurrences?.[0]?.startsAt, now()),
        },
      ],
      output.width,
    );
  });
  return undefined;
}
