/**
 * Renders a document of the installation as HTML, with the anchors that GitHub gives to headings. HTML in Markdown is
 * shown as text, and comments are left out.
 */
import MarkdownIt from 'markdown-it';
import { escapeHtml } from '../escape-html';
import { splitFences } from './read-documents';

const COMMENT = /^<!--[\s\S]*?-->[^\S\n]*\n?/gm;

export interface Heading {
  readonly level: number;
  readonly anchor: string;
  readonly text: string;
}

export interface RenderedDocument {
  readonly title: string;
  /** The document without its title, as HTML. */
  readonly body: string;
  /** The headings below the title, in order. */
  readonly headings: readonly Heading[];
  /** The text between the headings, without Markdown. The first item belongs to the title. */
  readonly sections: readonly string[];
}

export interface Link {
  readonly href: string;
  readonly text: string;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the size of the picture of a link. null means that the picture is not served. */
export type MeasurePicture = (href: string) => Size | null;

const markdown = new MarkdownIt({ html: false });

type Token = ReturnType<typeof markdown.parse>[number];

markdown.renderer.rules['table_open'] = () =>
  '<div class="scroll" role="group" aria-label="Table" tabindex="0">\n<table>\n';
markdown.renderer.rules['table_close'] = () => '</table>\n</div>\n';
// Names of settings may break after each underscore.
markdown.renderer.rules['code_inline'] = (tokens, index) =>
  `<code>${escapeHtml(tokens[index]?.content ?? '').replaceAll('_', '_<wbr>')}</code>`;
const renderCode = (tokens: readonly Token[], index: number): string =>
  `<div class="code"><pre tabindex="0"><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>` +
  '<button type="button" data-copy>Copy</button></div>\n';
markdown.renderer.rules['fence'] = renderCode;
markdown.renderer.rules['code_block'] = renderCode;

export function renderDocument(text: string, measure: MeasurePicture): RenderedDocument {
  const tokens = parse(text);
  const headings = markHeadings(tokens);
  labelCells(tokens);
  for (const token of tokens) {
    moveAlignment(token);
    if (token.children === null) continue;
    token.children = token.children.filter((child) => prepareInline(child, measure));
  }
  const [first, ...others] = headings;
  // The title is a heading: the tokens that open it, contain its text, and close it.
  const isTitled = first?.level === 1 && tokens[0]?.type === 'heading_open';
  return {
    title: isTitled ? first.text : '',
    body: markdown.renderer.render(isTitled ? tokens.slice(3) : tokens, markdown.options, {}),
    headings: isTitled ? others : headings,
    sections: listSections(isTitled ? tokens.slice(3) : tokens),
  };
}

/** Returns the text before the first heading and after each heading, with single spaces. */
function listSections(tokens: readonly Token[]): readonly string[] {
  const sections: string[][] = [[]];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') sections.push([]);
    else if (tokens[index - 1]?.type !== 'heading_open')
      sections.at(-1)?.push(readContent(token, tokens[index + 1]));
  }
  return sections.map((parts) => parts.join(' ').replaceAll(/\s+/g, ' ').trim());
}

/** Cells of a row and lines of code are separated by a dot. */
function readContent(token: Token, next: Token | undefined): string {
  if (token.type === 'inline') return readText(token);
  const isBetweenCells = /^t[dh]_close$/.test(token.type) && next?.type !== 'tr_close';
  return isBetweenCells ? '·' : token.content.trim().replaceAll(/\s*\n\s*/g, ' · ');
}

/** Returns the first link of each list item, by the heading above it. */
export function listLinks(text: string): ReadonlyMap<string, readonly Link[]> {
  const groups = new Map<string, Link[]>();
  const tokens = parse(text);
  let heading = '';
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') heading = readText(tokens[index + 1]);
    const [first, ...others] = token.children ?? [];
    if (first?.type !== 'link_open' || token.level < 2) continue;
    const end = others.findIndex(({ type }) => type === 'link_close');
    const link = { href: String(first.attrGet('href')), text: joinTexts(others.slice(0, end)) };
    groups.set(heading, [...(groups.get(heading) ?? []), link]);
  }
  return groups;
}

function parse(text: string): Token[] {
  const parts = splitFences(text);
  const plain = parts.map((part) => (part.startsWith('```') ? part : part.replaceAll(COMMENT, '')));
  return markdown.parse(plain.join(''), {});
}

/** Gives each heading its anchor. The anchor of a repeated heading ends with a number. */
function markHeadings(tokens: readonly Token[]): readonly Heading[] {
  const taken = new Set<string>();
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const text = readText(tokens[index + 1]);
    const words = formatAnchor(text);
    let anchor = words;
    for (let count = 1; taken.has(anchor); count += 1) anchor = `${words}-${count}`;
    taken.add(anchor);
    token.attrSet('id', anchor);
    return [{ level: Number(token.tag.slice(1)), anchor, text }];
  });
}

/** Formats the text of a heading as GitHub does. */
function formatAnchor(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

function readText(token: Token | undefined): string {
  return joinTexts(token?.children ?? []);
}

function joinTexts(tokens: readonly Token[]): string {
  return tokens.map(readInline).join('');
}

function readInline({ type, content }: Token): string {
  if (type === 'softbreak' || type === 'hardbreak') return ' ';
  return type === 'image' ? '' : content;
}

/** Gives each cell the title of its column. On narrow screens, the cells of a row stand below each other. */
function labelCells(tokens: readonly Token[]): void {
  let columns: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'table_open') columns = [];
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'th_open') columns.push(readText(tokens[index + 1]));
    if (token.type !== 'td_open') continue;
    token.attrSet('data-label', columns[column] ?? '');
    column += 1;
  }
}

/** Aligns a table cell with a class, because the page's policy allows no inline style. */
function moveAlignment(token: Token): void {
  const style = token.attrGet('style');
  if (style === null) return;
  token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
  token.attrSet('class', String(style).replace('text-align:', ''));
}

/** Completes links and pictures. Returns false if the token is a picture that is not served. */
function prepareInline(token: Token, measure: MeasurePicture): boolean {
  if (token.type === 'link_open' && /^[a-z]+:/i.test(String(token.attrGet('href'))))
    token.attrSet('rel', 'noopener');
  if (token.type !== 'image') return true;
  const size = measure(String(token.attrGet('src')));
  if (size === null) return false;
  token.attrSet('width', String(size.width));
  token.attrSet('height', String(size.height));
  token.attrSet('loading', 'lazy');
  return true;
}
