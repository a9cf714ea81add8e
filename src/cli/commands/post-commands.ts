/** `posts`: the posts on status pages. Texts come from an option, a question or standard input. */
import { Argument, type Command, Option } from 'commander';
import { POST_STATES, POST_TYPES } from '../../contracts/status-pages';
import { ask, confirm, readInput } from '../ask';
import { CliError, usageError } from '../cli-error';
import { findItems, findStatusPage } from '../find-status-page';
import { formatPost, formatPostTable } from '../post-text';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';
import { type Post, postShape, statusPageShape } from '../shapes';
import { addPostImport } from './post-import-command';

const PATH = 'v1/status-page-posts';
const STATES = [...POST_STATES.incident, ...POST_STATES.maintenance];
/** The last status of a post that went as planned, by type. */
const END_STATES: Readonly<Record<string, string>> = {
  incident: 'resolved',
  maintenance: 'completed',
};

export function addPostCommands(program: Command, cli: Cli): void {
  const group = program.command('posts').description('Write and publish posts on status pages');
  addReading(group, cli);
  addWriting(group, cli);
  addUpdating(group, cli);
  addPublishing(group, cli);
  addLearning(group, cli);
  addDeleting(group, cli);
  addPostImport(group, cli);
}

interface Filters {
  readonly page?: string;
  readonly state?: string;
}

function addReading(group: Command, cli: Cli): void {
  group
    .command('list')
    .alias('ls')
    .description('List posts, newest first')
    .option('--page <key>', 'only those of this page, by key, slug or id')
    .addOption(new Option('--state <state>', 'only this state').choices(['draft', 'published']))
    .action((options: Filters, command: Command) =>
      runInSession(cli, command, (session) => listPosts(session, options)),
    );
  group
    .command('get')
    .alias('show')
    .description('Show one post with its updates')
    .addArgument(idArgument())
    .action((id: string, _options: object, command: Command) =>
      runInSession(cli, command, async (session) => {
        const post = await session.client().call(buildPath(id), postShape);
        return show(session, post);
      }),
    );
}

async function listPosts(session: Session, { page, state }: Filters): ExitStatus {
  const client = session.client();
  const pageId = page === undefined ? undefined : (await findStatusPage(client, page)).id;
  const data = await client.list(PATH, postShape, { pageId, state });
  // Reads the slugs only for people, because machine output contains page ids.
  const isForPeople = session.output.format === 'table' && data.length > 0;
  const pages = isForPeople ? await client.list('v1/status-pages', statusPageShape) : [];
  session.output.show({ data }, () => formatPostTable(session, data, pages));
  return undefined;
}

interface WriteOptions {
  readonly title: string;
  readonly page?: string;
  readonly text?: string;
  readonly type: string;
  readonly state?: string;
  readonly affected?: readonly string[];
  readonly publish?: true;
  readonly publishAt?: string;
}

function addWriting(group: Command, cli: Cli): void {
  const collect = (value: string, previous: readonly string[] = []) => [...previous, value];
  group
    .command('write')
    .description('Write a post with its first update: a draft, unless --publish is given')
    .requiredOption('--title <title>', 'what is happening, in one line')
    .option('--page <key>', 'by key, slug or id; optional if there is only one page')
    .addOption(textOption())
    .addOption(
      new Option('--type <type>', 'type of the post').choices(POST_TYPES).default('incident'),
    )
    .addOption(
      new Option('--state <state>', 'default: investigating; for maintenance: scheduled').choices(
        STATES,
      ),
    )
    .addOption(
      new Option('--affected <item>', 'name or id of an item of the page; repeatable').argParser(
        collect,
      ),
    )
    .addOption(new Option('--publish', 'show it to visitors at once').conflicts('publishAt'))
    .option('--publish-at <time>', 'publish it at this time, like 2027-01-31T22:00:00Z')
    .action((options: WriteOptions, command: Command) =>
      runInSession(cli, command, (session) => writePost(session, options)),
    );
}

async function writePost(session: Session, options: WriteOptions): ExitStatus {
  const { title, type, state, publish, publishAt, affected = [] } = options;
  const client = session.client();
  const page = await findStatusPage(client, options.page);
  const body = {
    pageId: page.id,
    type,
    title,
    affected: findItems(page, affected),
    text: await readText(session, options.text),
    ...(state !== undefined && { state }),
    ...(publish === true && { publish }),
    ...(publishAt !== undefined && { publishAt }),
  };
  const post = await client.call(PATH, postShape, { method: 'POST', body });
  noteDrafts(session, post);
  return show(session, post);
}

/** Writes a note about drafts, because users easily assume that a new text is already published. */
function noteDrafts({ output }: Session, { id, publishAt, updates }: Post): void {
  if (publishAt == null && updates.some(({ isDraft }) => isDraft))
    output.note(`Visitors do not see drafts. Publish with: keepwatch posts publish ${id}`);
}

interface UpdateOptions {
  readonly state: string;
  readonly text?: string;
  readonly draft?: true;
}

function addUpdating(group: Command, cli: Cli): void {
  group
    .command('update')
    .description('Add an update with a state; visitors see it at once, unless the post is a draft')
    .addArgument(idArgument())
    .addOption(new Option('--state <state>', 'the new state').choices(STATES).makeOptionMandatory())
    .addOption(textOption())
    .option('--draft', 'hide it from visitors until the post is published again')
    .action((id: string, options: UpdateOptions, command: Command) =>
      runInSession(cli, command, async (session) => {
        const text = await readText(session, options.text);
        return addUpdate(session, id, {
          state: options.state,
          text,
          draft: options.draft === true,
        });
      }),
    );
  group
    .command('resolve')
    .description('Add the final update: resolved for an incident, completed for maintenance')
    .addArgument(idArgument())
    .addOption(textOption())
    .action((id: string, options: { readonly text?: string }, command: Command) =>
      runInSession(cli, command, async (session) => {
        const { type } = await session.client().call(buildPath(id), postShape);
        const text = await readText(session, options.text);
        return addUpdate(session, id, {
          state: END_STATES[type] ?? 'resolved',
          text,
          draft: false,
        });
      }),
    );
}

async function addUpdate(
  session: Session,
  id: string,
  body: { readonly state: string; readonly text: string; readonly draft: boolean },
): ExitStatus {
  const updates = `${buildPath(id)}/updates`;
  try {
    const post = await session.client().call(updates, postShape, { method: 'POST', body });
    noteDrafts(session, post);
    return await show(session, post);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'already_finished') throw error;
    const { message, exitCode, code, errors, cause } = error;
    throw new CliError(exitCode, /^[^.]*\./.exec(message)?.[0] ?? message, {
      code,
      errors,
      cause,
      hint: `To add a post-mortem: keepwatch posts post-mortem ${id}. For a new post: keepwatch posts write.`,
    });
  }
}

function addPublishing(group: Command, cli: Cli): void {
  group
    .command('publish')
    .description('Publish a draft, and drafts of updates')
    .addArgument(idArgument())
    .action((id: string, _options: object, command: Command) =>
      runInSession(cli, command, async (session) => {
        const path = `${buildPath(id)}/publish`;
        return show(
          session,
          await session.client().call(path, postShape, { method: 'POST', body: {} }),
        );
      }),
    );
}

function addLearning(group: Command, cli: Cli): void {
  group
    .command('post-mortem')
    .description('Add a post-mortem to a post that has ended')
    .addArgument(idArgument())
    .addOption(textOption().conflicts('remove'))
    .option('--remove', 'remove the post-mortem')
    .action((id: string, options: { text?: string; remove?: true }, command: Command) =>
      runInSession(cli, command, async (session) => {
        const postMortem = options.remove === true ? null : await readText(session, options.text);
        const change = { method: 'PATCH', body: { postMortem } } as const;
        return show(session, await session.client().call(buildPath(id), postShape, change));
      }),
    );
}

function addDeleting(group: Command, cli: Cli): void {
  group
    .command('delete')
    .description('Delete a draft or a published post; asks first')
    .addArgument(idArgument())
    .option('-y, --yes', 'do not ask')
    .action((id: string, { yes }: { yes?: true }, command: Command) =>
      runInSession(cli, command, async (session) => {
        const { title, state } = await session.client().call(buildPath(id), postShape);
        const what = state === 'draft' ? 'the draft' : 'the published post';
        if (yes !== true) await confirm(session, `Delete ${what} "${title}"?`);
        await session.client().send(buildPath(id), { method: 'DELETE' });
        session.output.show({ deleted: { id, title } }, () => `Deleted ${id}.`);
        return undefined;
      }),
    );
}

function idArgument(): Argument {
  return new Argument('<id>', 'id of the post, as shown by `posts list`');
}

function textOption(): Option {
  return new Option('--text <text>', 'Markdown; default: asked for, or read from standard input');
}

function buildPath(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}

/** Reads the text. A user at a terminal is asked for one line. A file may have many lines. */
async function readText(session: Session, given: string | undefined): Promise<string> {
  const read =
    session.stdin.isTTY === true ? () => ask(session, 'Text: ') : () => readInput(session);
  const text = (given ?? (await read())).trim();
  if (text !== '') return text;
  throw usageError('No text was given.', 'Use --text TEXT, or pipe a file in: … < text.md');
}

async function show(session: Session, post: Post): ExitStatus {
  const { output } = session;
  const pages =
    output.format === 'table'
      ? await session.client().list('v1/status-pages', statusPageShape)
      : [];
  output.show(post, () =>
    formatPost(
      session,
      post,
      pages.find(({ id }) => id === post.pageId),
    ),
  );
  return undefined;
}
