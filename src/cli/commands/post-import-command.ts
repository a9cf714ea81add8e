/** `posts import`: creates drafts from the open posts on a page of another service. Users publish them later. */
import type { Command } from 'commander';
import { Argument } from 'commander';
import { POST_STATES } from '../../contracts/status-pages';
import { isFinal } from '../../domain/status-pages/post';
import { convertFile, readText } from '../files/foreign-files';
import { parseText } from '../files/yaml-faults';
import { findStatusPage } from '../find-status-page';
import { readInstatus } from '../import/status-pages/instatus';
import { type SourcePage, type SourcePost, toPost } from '../import/status-pages/source-page';
import { readStatuspage } from '../import/status-pages/statuspage';
import { formatPostTable } from '../post-text';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';
import { type Post, postShape, type StatusPage } from '../shapes';

const PATH = 'v1/status-page-posts';

const STATES = [...POST_STATES.incident, ...POST_STATES.maintenance];
const FINAL: readonly string[] = STATES.filter(isFinal);

const READERS = { statuspage: readStatuspage, instatus: readInstatus } as const;
type Tool = keyof typeof READERS;

export function addPostImport(group: Command, cli: Cli): void {
  group
    .command('import')
    .description('Import open posts of another service as drafts')
    .addArgument(new Argument('<tool>', 'service of the files').choices(Object.keys(READERS)))
    .argument('<file...>', 'the same files as for keepwatch import, or - for standard input')
    .option('--page <key>', 'by key, slug or id; optional if there is only one page')
    .action((tool: Tool, files: string[], { page }: { page?: string }, command: Command) =>
      runInSession(cli, command, (session) => importPosts(session, { tool, files, page })),
    );
}

interface Request {
  readonly tool: Tool;
  readonly files: readonly string[];
  readonly page: string | undefined;
}

/**
 * Creates the drafts. A repeated import creates no duplicates, because an open post with the same title counts as the
 * same post.
 */
async function importPosts(session: Session, { tool, files, page: key }: Request): ExitStatus {
  const source = await readSource(session, tool, files);
  const client = session.client();
  const page = await findStatusPage(client, key);
  const known = await client.list(PATH, postShape, { pageId: page.id });
  const made: Post[] = [];
  for (const open of source.open) {
    const body = buildBody(session, open, page);
    if (body === null || isThere(session, body.title, known)) continue;
    made.push(await client.call(PATH, postShape, { method: 'POST', body }));
  }
  session.output.show({ data: made }, () =>
    made.length === 0 ? 'No drafts were created.' : formatPostTable(session, made, [page]),
  );
  if (made.length > 0) session.output.note('Read each draft, then run: keepwatch posts publish ID');
  return undefined;
}

async function readSource(
  session: Session,
  tool: Tool,
  files: readonly string[],
): Promise<SourcePage> {
  const contents: unknown[] = [];
  for (const file of files) contents.push(parseText(await readText(session, file), file));
  return convertFile({ tool, file: files.join(', ') }, () => READERS[tool](contents));
}

function isThere({ output }: Session, title: string, known: readonly Post[]): boolean {
  const same = known.find((post) => post.title === title && !isOver(post));
  if (same !== undefined) output.note(`${title}: already exists as ${same.id}`);
  return same !== undefined;
}

function isOver({ updates }: Post): boolean {
  return FINAL.includes(updates.at(-1)?.state ?? '');
}

/** Returns null and warns if the post has no title or no text. */
function buildBody({ output }: Session, open: SourcePost, page: StatusPage) {
  const post = toPost(open);
  if (post === null) {
    output.warn(`${open.title}: has no title or no text, and is left out`);
    return null;
  }
  const items = page.groups.flatMap((group) => group.items);
  const affected = post.affected.flatMap((name) => {
    const item = items.find((each) => each.name === name);
    if (item === undefined) output.warn(`${post.title}: ${page.title} does not show ${name}`);
    return item?.id ?? [];
  });
  return { ...post, pageId: page.id, affected };
}
