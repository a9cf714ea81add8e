/** `subscribers`: the recipients of a status page's posts. Recipients are arguments, or lines of standard input. */
import { type Command, Option } from 'commander';
import {
  SUBSCRIBER_STATES,
  SUBSCRIBER_TYPES,
  type SubscriberType,
} from '../../contracts/letters/letters';
import { confirm, readInput } from '../ask';
import { CliError, EXIT_CODES, usageError } from '../cli-error';
import type { Client } from '../client';
import { formatAgo } from '../durations';
import { findItems, findStatusPage } from '../find-status-page';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';
import { type StatusPage, type Subscriber, subscriberShape } from '../shapes';
import { formatTable } from '../table';

export function addSubscriberCommands(program: Command, cli: Cli): void {
  const group = program
    .command('subscribers')
    .description('List, add and remove subscribers of status pages');
  addListing(group, cli);
  addAdding(group, cli);
  addRemoving(group, cli);
}

interface Filters {
  readonly page?: string;
  readonly type?: string;
  readonly state?: string;
}

function addListing(group: Command, cli: Cli): void {
  group
    .command('list')
    .alias('ls')
    .description('List the subscribers of a page, newest first')
    .addOption(pageOption())
    .addOption(new Option('--type <type>', 'only this type').choices(SUBSCRIBER_TYPES))
    .addOption(new Option('--state <state>', 'only this state').choices(SUBSCRIBER_STATES))
    .action(({ page: reference, ...filters }: Filters, command: Command) =>
      runInSession(cli, command, async (session) => {
        const client = session.client();
        const page = await findStatusPage(client, reference);
        const data = await client.list(buildPath(page), subscriberShape, filters);
        session.output.show({ data }, () =>
          data.length === 0 ? 'No subscribers match.' : table(session, page, data),
        );
        return undefined;
      }),
    );
}

interface AddOptions {
  readonly page?: string;
  readonly item?: readonly string[];
  readonly confirmed?: true;
}

function addAdding(group: Command, cli: Cli): void {
  const collect = (value: string, previous: readonly string[] = []) => [...previous, value];
  group
    .command('add')
    .description('Add subscribers; a mail asks them to confirm, unless --confirmed is given')
    .argument('[to...]', 'emails, https URLs, webhook URLs of Slack; default: standard input')
    .addOption(pageOption())
    .addOption(
      new Option(
        '--item <item>',
        'name or id of an item of the page; repeatable; default: the whole page',
      ).argParser(collect),
    )
    .option('--confirmed', 'they have agreed already')
    .action((given: readonly string[], options: AddOptions, command: Command) =>
      runInSession(cli, command, (session) => addSubscribers(session, given, options)),
    );
}

/** Adds recipients one after the other. Existing subscribers stay unchanged, so the command can be repeated. */
async function addSubscribers(
  session: Session,
  given: readonly string[],
  { page: reference, item, confirmed }: AddOptions,
): ExitStatus {
  const { output } = session;
  const client = session.client();
  const page = await findStatusPage(client, reference);
  const items = item === undefined ? null : findItems(page, item);
  const recipients = given.length > 0 ? given : await readRecipients(session);
  const data: Subscriber[] = [];
  for (const to of recipients) {
    const body = { type: findType(to), to, items, confirmed: confirmed === true };
    try {
      data.push(await client.call(buildPath(page), subscriberShape, { method: 'POST', body }));
    } catch (error) {
      const isThere = error instanceof CliError && error.code === 'key_taken';
      if (!isThere && recipients.length > 1)
        output.warn(`${data.length} of ${recipients.length} were added.`);
      if (!isThere) throw error;
      output.note(`${withoutPath(to)} is already a subscriber.`);
    }
  }
  output.show({ data }, () =>
    data.length === 0 ? 'No one was added.' : table(session, page, data),
  );
  return undefined;
}

async function readRecipients(session: Session): Promise<readonly string[]> {
  const text = session.stdin.isTTY === true ? '' : await readInput(session);
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const recipients = lines.filter((line) => line !== '');
  if (recipients.length > 0) return recipients;
  throw usageError(
    'No recipients were given.',
    'Name the subscribers to add, or pipe a file in: … < readers.txt',
  );
}

function addRemoving(group: Command, cli: Cli): void {
  group
    .command('remove')
    .description('Remove a subscriber; asks first')
    .argument('<who>', 'id, email or URL')
    .addOption(pageOption())
    .option('-y, --yes', 'do not ask')
    .action((who: string, { page: key, yes }: { page?: string; yes?: true }, command: Command) =>
      runInSession(cli, command, async (session) => {
        const client = session.client();
        const page = await findStatusPage(client, key);
        const { id, to } = await findSubscriber(client, page, who);
        if (yes !== true) await confirm(session, `Remove ${to} from ${page.title}?`);
        const path = `${buildPath(page)}/${encodeURIComponent(id)}`;
        await client.send(path, { method: 'DELETE' });
        session.output.show({ deleted: { id, to } }, () => `Removed ${to}.`);
        return undefined;
      }),
    );
}

async function findSubscriber(client: Client, page: StatusPage, who: string): Promise<Subscriber> {
  if (who.startsWith('sub_'))
    return client.call(`${buildPath(page)}/${encodeURIComponent(who)}`, subscriberShape);
  const wanted = { to: who, type: findType(who) };
  const [found] = await client.list(buildPath(page), subscriberShape, wanted);
  if (found !== undefined) return found;
  throw new CliError(EXIT_CODES.rejected, `${page.title} has no subscriber ${withoutPath(who)}.`, {
    code: 'not_found',
    hint: 'To see its subscribers, run keepwatch subscribers list.',
  });
}

function pageOption(): Option {
  return new Option('--page <key>', 'by key, slug or id; optional if there is only one page');
}

function buildPath({ id }: StatusPage): string {
  return `v1/status-pages/${encodeURIComponent(id)}/subscribers`;
}

function findType(to: string): SubscriberType {
  if (!/^\w+:\/\//.test(to)) return 'mail';
  return /^https:\/\/hooks\.slack(?:-gov)?\.com\//.test(to) ? 'slack' : 'webhook';
}

/** Removes the path and query from a webhook's URL, because they are secret. */
function withoutPath(to: string): string {
  return findType(to) !== 'mail' && URL.canParse(to) ? `${new URL(to).origin}/…` : to;
}

function table(
  { output, now }: Session,
  { groups }: StatusPage,
  subscribers: readonly Subscriber[],
): string {
  const names = new Map(
    groups.flatMap(({ items }) => items.map(({ id, name }) => [id, name] as const)),
  );
  return formatTable(
    subscribers,
    [
      { title: 'id', cell: ({ id }) => id },
      { title: 'type', cell: ({ type }) => type },
      { title: 'to', cell: ({ to }) => to },
      {
        title: 'items',
        cell: ({ items }) => items?.map((id) => names.get(id) ?? id).join(', ') ?? 'all',
      },
      { title: 'state', cell: ({ state }) => state },
      { title: 'added', cell: ({ createdAt }) => formatAgo(createdAt, now()) },
    ],
    output.width,
  );
}
