/** Renders the page of a document: all documents as navigation, the search, the table of contents, and the text. */
import { escapeHtml } from '../escape-html';
import { type FrameOptions, renderShell } from '../reference/frame';
import type { Heading, RenderedDocument } from './render-document';

/** A document with more headings has a table of contents. */
const HEADINGS_WITHOUT_CONTENTS = 5;
const DEEPEST_LISTED = 3;

export interface Guide {
  /** The path of the document, for example `docs/alerts.md`. */
  readonly name: string;
  readonly title: string;
  readonly below?: readonly Guide[];
}

export interface GuideGroup {
  readonly title: string;
  readonly guides: readonly Guide[];
}

interface Shown {
  readonly name: string;
  readonly document: RenderedDocument;
  readonly groups: readonly GuideGroup[];
}

export function renderDocumentPage(
  { name, document, groups }: Shown,
  options: FrameOptions,
): string {
  const { title, headings, body } = document;
  return renderPage({ name, title, groups, text: withContents(body, headings) }, options);
}

/** Renders the page for paths at which there is no document. */
export function renderMissingPage(groups: readonly GuideGroup[], options: FrameOptions): string {
  const text =
    '<p>There is no document at this URL. <a href="/docs/README.md">All documents</a></p>';
  return renderPage({ name: '', title: 'Document not found', groups, text }, options);
}

interface Page {
  readonly name: string;
  readonly title: string;
  readonly groups: readonly GuideGroup[];
  readonly text: string;
}

function renderPage({ name, title, groups, text }: Page, options: FrameOptions): string {
  const body = `<div class="page">
<details class="side" data-fold open>
<summary>All documents</summary>
<nav aria-label="Documents">
${groups.map((group) => renderGroup(group, name)).join('\n')}
</nav>
</details>
<main id="content" tabindex="-1">
<div class="search">
<label class="filter">Search the documents <input type="search" id="doc-search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"></label>
<p id="doc-found" role="status"></p>
<ul id="doc-results" hidden></ul>
<p id="doc-more" hidden>The API reference has its own search: <a href="/docs">operations</a>, <a href="/docs/fields">fields</a></p>
</div>
<h1>${escapeHtml(title)}</h1>
${text}
</main>
</div>
<script src="/docs/search.js" defer></script>`;
  return renderShell({ path: '/docs/README.md', title: escapeHtml(title), body }, options);
}

function renderGroup({ title, guides }: GuideGroup, name: string): string {
  return `<p>${escapeHtml(title)}</p>\n${renderGuides(guides, name)}`;
}

function renderGuides(guides: readonly Guide[], name: string): string {
  const items = guides.map((guide) => {
    const below = guide.below ?? [];
    const own = below.length === 0 ? '' : `\n${renderGuides(below, name)}\n`;
    return `<li><a href="/${guide.name}"${markCurrent(guide.name, name)}>${escapeHtml(guide.title)}</a>${own}</li>`;
  });
  return `<ul>\n${items.join('\n')}\n</ul>`;
}

/** Marks the link of the shown document, or of the folder that contains it. */
function markCurrent(linked: string, shown: string): string {
  if (linked === shown) return ' aria-current="page"';
  return shown.startsWith(`${linked}/`) ? ' aria-current="true"' : '';
}

function withContents(body: string, headings: readonly Heading[]): string {
  const listed = headings.filter(({ level }) => level <= DEEPEST_LISTED);
  if (listed.length <= HEADINGS_WITHOUT_CONTENTS)
    return `<div class="document"><article>\n${body}</article></div>`;
  const items = listed.map(
    ({ level, anchor, text }) =>
      `<li class="level-${level}"><a href="#${escapeHtml(anchor)}">${escapeHtml(text)}</a></li>`,
  );
  return `<div class="document">
<details class="contents" data-fold open>
<summary>On this page</summary>
<nav aria-label="On this page">
<ul>
${items.join('\n')}
</ul>
</nav>
</details>
<article>
${body}</article>
</div>`;
}
