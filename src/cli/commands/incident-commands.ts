/** `incidents`: lists, shows, explains, acknowledges and snoozes incidents. */
import { type Command, Option } from 'commander';
import { usageError } from '../cli-error';
import { formatAgo, parseDuration } from '../durations';
import { explanationShape, incidentShape } from '../incident-shapes';
import { paintStatus, replaceControls } from '../paint';
import {
  describeState,
  formatExplanation,
  formatIncident,
  formatName,
} from '../reports/incident-text';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';
import { formatTable } from '../table';

const PATH = 'v1/incidents';
const MINUTE_MS = 60_000;
/** The shortest and longest snooze that the service accepts. */
const MINUTES_MIN = 5;
const MINUTES_MAX = 10_080;

export function addIncidentCommands(program: Command, cli: Cli): void {
  const group = program.command('incidents').description('List and handle incidents');
  addReading(group, cli);
  addHandling(group, cli);
}

function addReading(group: Command, cli: Cli): void {
  group
    .command('list')
    .alias('ls')
    .description('List unresolved incidents, newest first')
    .addOption(
      new Option('--state <state>', 'only this state').choices([
        'open',
        'acknowledged',
        'resolved',
      ]),
    )
    .option('--all', 'resolved incidents, too')
    .action((options: ListOptions, command: Command) =>
      runInSession(cli, command, (session) => listIncidents(session, options)),
    );
  group
    .command('show')
    .alias('get')
    .description('Show an incident with its timeline')
    .argument('<id>')
    .action((id: string, _options: object, command: Command) =>
      runInSession(cli, command, async (session) => {
        const incident = await session.client().call(buildPath(id), incidentShape);
        session.output.show(incident, () => formatIncident(session, incident));
        return undefined;
      }),
    );
  group
    .command('explain')
    .description('Show why people were notified of an incident, or why not')
    .argument('<id>')
    .action((id: string, _options: object, command: Command) =>
      runInSession(cli, command, (session) => explainIncident(session, id)),
    );
}

interface ListOptions {
  readonly all?: true;
  readonly state?: string;
}

async function listIncidents({ client, output, now }: Session, options: ListOptions): ExitStatus {
  const state = options.state ?? (options.all === true ? undefined : 'unresolved');
  const data = await client().list(PATH, incidentShape, { state });
  output.show({ data }, () => {
    if (data.length === 0) return state === 'unresolved' ? 'No open incidents.' : 'No incidents.';
    return formatTable(
      data,
      [
        {
          title: 'state',
          cell: (incident) => describeState(incident, now()),
          look: (text) => paintStatus(output.paint, text),
        },
        { title: 'id', cell: ({ id }) => id, isWhole: true },
        { title: 'check', cell: formatName },
        { title: 'opened', cell: ({ openedAt }) => formatAgo(openedAt, now()) },
        { title: 'cause', cell: ({ cause }) => cause?.message ?? '' },
      ],
      output.width,
    );
  });
  return undefined;
}

async function explainIncident(session: Session, id: string): ExitStatus {
  const { client, output } = session;
  const explanation = await client().call(`${buildPath(id)}/explain`, explanationShape);
  // The explanation does not contain the name and the state, which only the text shows.
  const incident =
    output.format === 'table' ? await client().call(buildPath(id), incidentShape) : null;
  output.show(explanation, () =>
    incident === null ? '' : formatExplanation(session, incident, explanation),
  );
  return undefined;
}

function addHandling(group: Command, cli: Cli): void {
  group
    .command('ack')
    .alias('acknowledge')
    .description('Acknowledge an incident; alerts stop until it is over')
    .argument('<id>')
    .option('--note <text>', 'a note for the timeline')
    .action((id: string, { note }: { note?: string }, command: Command) =>
      runInSession(cli, command, (session) =>
        act(session, { id, verb: 'acknowledge', body: note === undefined ? {} : { note } }),
      ),
    );
  group
    .command('snooze')
    .description('Send no alerts about an incident for a time')
    .argument('<id>')
    .requiredOption('--for <duration>', 'how long: 30m, 2h, 1d')
    .option('--reason <text>', 'a reason, shown to everyone who views the incident')
    .action((id: string, options: SnoozeOptions, command: Command) =>
      runInSession(cli, command, (session) => {
        const { reason } = options;
        const minutes = readMinutes(options.for);
        const body = { minutes, ...(reason !== undefined && { reason }) };
        return act(session, { id, verb: 'snooze', body });
      }),
    );
}

interface SnoozeOptions {
  readonly for: string;
  readonly reason?: string;
}

function readMinutes(text: string): number {
  const minutes = Math.ceil(parseDuration(text) / MINUTE_MS);
  if (minutes >= MINUTES_MIN && minutes <= MINUTES_MAX) return minutes;
  throw usageError(`--for ${text} is not between 5 minutes and 7 days.`);
}

interface Act {
  readonly id: string;
  readonly verb: 'acknowledge' | 'snooze';
  readonly body: object;
}

async function act(session: Session, { id, verb, body }: Act): ExitStatus {
  const path = `${buildPath(id)}/${verb}`;
  const incident = await session.client().call(path, incidentShape, { method: 'POST', body });
  session.output.show(incident, () => {
    const state = describeState(incident, session.now());
    return replaceControls(`Incident of ${formatName(incident)}: ${state}.`);
  });
  return undefined;
}

function buildPath(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
