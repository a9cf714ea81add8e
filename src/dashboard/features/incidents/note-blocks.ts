/** Parses a Markdown note into paragraphs, headings, lists, quotes and fenced code. HTML stays text. */

export type NoteBlock =
  | { readonly kind: 'text' | 'heading' | 'quote' | 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly string[] };

const FENCE = /^\s{0,3}```/;
const HEADING = /^\s{0,3}#{1,6}\s+(.+?)\s*#*$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;
const BULLET = /^\s{0,3}[-*+]\s+(.+)$/;
const NUMBERED = /^\s{0,3}\d{1,9}[.)]\s+(.+)$/;

/** Splits the note into blocks, in their order. Line breaks within a paragraph are kept. An empty line ends a block. */
export function parseBlocks(text: string): readonly NoteBlock[] {
  const blocks: NoteBlock[] = [];
  const lines = text.split(/\r?\n/);
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      at += 1;
      continue;
    }
    const { block, length } = blockAt(lines, at);
    blocks.push(block);
    at += length;
  }
  return blocks;
}

interface Found {
  readonly block: NoteBlock;
  /** The number of lines of the block. */
  readonly length: number;
}

function blockAt(lines: readonly string[], at: number): Found {
  const line = lines[at] ?? '';
  if (FENCE.test(line)) return codeAt(lines, at);
  const [, heading] = HEADING.exec(line) ?? [];
  if (heading !== undefined) return { block: { kind: 'heading', text: heading }, length: 1 };
  const quoted = takeRun(lines, at, (one) => QUOTE.exec(one)?.[1]);
  if (quoted.length > 0)
    return { block: { kind: 'quote', text: quoted.join('\n') }, length: quoted.length };
  for (const pattern of [BULLET, NUMBERED]) {
    const items = takeRun(lines, at, (one) => pattern.exec(one)?.[1]);
    const isOrdered = pattern === NUMBERED;
    if (items.length > 0)
      return { block: { kind: 'list', isOrdered, items }, length: items.length };
  }
  const plain = takeRun(lines, at, (one) => (isPlain(one) ? one : undefined));
  return { block: { kind: 'text', text: plain.join('\n') }, length: plain.length };
}

/** Reads a fenced block of code. It ends at the closing fence, or at the end of the note if there is none. */
function codeAt(lines: readonly string[], at: number): Found {
  const closing = lines.findIndex((line, index) => index > at && FENCE.test(line));
  const end = closing === -1 ? lines.length : closing;
  const text = lines.slice(at + 1, end).join('\n');
  return { block: { kind: 'code', text }, length: end - at + (closing === -1 ? 0 : 1) };
}

function isPlain(line: string): boolean {
  return (
    line.trim() !== '' &&
    ![FENCE, HEADING, QUOTE, BULLET, NUMBERED].some((pattern) => pattern.test(line))
  );
}

/** Applies `take` to each line from index `at` on, until it returns undefined. */
function takeRun(
  lines: readonly string[],
  at: number,
  take: (line: string) => string | undefined,
): readonly string[] {
  const taken: string[] = [];
  for (const line of lines.slice(at)) {
    const part = take(line);
    if (part === undefined) break;
    taken.push(part);
  }
  return taken;
}
