/** Formats posts of status pages. Several posts become a table. A single post is shown as visitors read it. */
import { formatAgo } from './durations';
import { type Colour, measureWidth, replaceControls } from './paint';
import type { Session } from './session';
import type { Post, StatusPage } from './shapes';
import { formatTable } from './table';

type Shown = Pick<Session, 'output' | 'now'>;

const STATE_COLOURS: Readonly<Record<string, Colour>> = {
  investigating: 'red',
  identified: 'yellow',
  monitoring: 'yellow',
  resolved: 'green',
  scheduled: 'cyan',
  started: 'cyan',
  completed: 'green',
  cancelled: 'grey',
};
const INDENT = '  ';

export function formatPostTable(
  { output, now }: Shown,
  posts: readonly Post[],
  pages: readonly StatusPage[],
): string {
  if (posts.length === 0) return 'No posts match.';
  const slugs = new Map(pages.map(({ id, slug }) => [id, slug]));
  return formatTable(
    posts,
    [
      { title: 'id', cell: ({ id }) => id },
      { title: 'page', cell: ({ pageId }) => slugs.get(pageId) ?? pageId },
      { title: 'state', cell: ({ state }) => state },
      { title: 'status', cell: ({ status }) => status, look: (text) => painted(output, text) },
      { title: 'title', cell: ({ title }) => title },
      { title: 'written', cell: ({ createdAt }) => formatAgo(createdAt, now()) },
    ],
    output.width,
  );
}

export function formatPost(shown: Shown, post: Post, page: StatusPage | undefined): string {
  const { output, now } = shown;
  const { id, title, status, pageId, affected, updates, postMortem } = post;
  const items = page?.groups.flatMap((group) => group.items) ?? [];
  const names = affected.map((item) => items.find((known) => known.id === item)?.name ?? item);
  const facts = [
    `id        ${id}`,
    `page      ${page === undefined ? pageId : `${page.title} (${page.slug})`}`,
    `state     ${stateWords(post, now())}`,
    ...(names.length > 0 ? [`affected  ${names.join(', ')}`] : []),
  ];
  const written = updates.flatMap(({ state, at, by, isDraft, text }) => {
    const facts = [formatAgo(at, now()), by ?? 'Keepwatch', ...(isDraft ? ['draft'] : [])];
    return [
      '',
      `${painted(output, state)}  ${replaceControls(facts.join(', '))}`,
      ...wrapped(text, output.width),
    ];
  });
  const learned =
    postMortem == null
      ? []
      : ['', output.paint('bold', 'post-mortem'), ...wrapped(postMortem, output.width)];
  return [
    `${output.paint('bold', replaceControls(title))}  ${painted(output, status)}`,
    ...facts.map(replaceControls),
    ...written,
    ...learned,
  ].join('\n');
}

function stateWords({ state, publishAt, publishedAt }: Post, nowMs: number): string {
  if (state !== 'draft') return `${state} ${formatAgo(publishedAt, nowMs)}`;
  return publishAt == null
    ? 'draft'
    : `draft, published automatically ${formatAgo(publishAt, nowMs)}`;
}

function painted({ paint }: Shown['output'], state: string): string {
  const colour = STATE_COLOURS[state];
  return colour === undefined ? replaceControls(state) : paint(colour, state);
}

/** Indents a Markdown text and wraps it to the terminal's width. */
function wrapped(text: string, width: number | null): readonly string[] {
  const lines = text.split(/\r?\n/).map(replaceControls);
  const filled =
    width === null ? lines : lines.flatMap((line) => wrapLine(line, width - INDENT.length));
  return filled.map((line) => (line === '' ? '' : `${INDENT}${line}`));
}

/** Breaks the line at spaces. A long word, such as a URL, is not broken. */
function wrapLine(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && measureWidth(longer) > width) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current];
}
