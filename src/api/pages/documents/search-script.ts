/** The script that searches all documents. Without it, the box is not shown. */
import type { RenderedDocument } from './render-document';

interface Searched extends RenderedDocument {
  readonly name: string;
}

/** Renders the module with the texts. Each document has a title, a path, and the text of each section by its heading. */
export function renderSearchIndex(documents: readonly Searched[]): string {
  const index = documents.map(({ name, title, headings, sections: [first, ...others] }) => [
    title,
    `/${name}`,
    first,
    headings.map(({ text, anchor }, place) => [text, anchor, others[place]]),
  ]);
  return `export const INDEX = ${JSON.stringify(index)};\n`;
}

export const SEARCH_SCRIPT = `'use strict';
const SHOWN_MAX = 20;
/** How many characters of a text are shown before and after the word that was found. */
const AROUND = 70;
const input = document.getElementById('doc-search');
const found = document.getElementById('doc-found');
const results = document.getElementById('doc-results');
let entries = null;

/** The texts are large, so they are loaded when somebody is about to search. */
async function load() {
  const { INDEX } = await import('/docs/search-index.js');
  entries ??= INDEX.flatMap(([title, url, body, sections]) => [
    toEntry({ text: title, about: '', url, body }),
    ...sections.map(([text, anchor, own]) =>
      toEntry({ text, about: title, url: url + '#' + anchor, body: own })),
  ]);
}
function toEntry({ text, about, url, body }) {
  const head = text.toLowerCase();
  return { text, about, url, body, head, lower: body.toLowerCase(), path: about.toLowerCase() + ' ' + head };
}
/** Titles come first, then headings, then headings below a title that completes them, then texts. */
function rank({ about, head, path, lower }, words) {
  if (words.every((word) => head.includes(word))) return about === '' ? 0 : 1;
  if (words.every((word) => path.includes(word))) return 2;
  return words.every((word) => path.includes(word) || lower.includes(word)) ? 3 : null;
}
async function search() {
  const words = readWords();
  if (words.length === 0) return show([], words);
  try {
    await load();
  } catch {
    found.textContent = 'The texts could not be loaded. Type again to retry.';
    return;
  }
  // The value may have changed while the texts were loading.
  const current = readWords();
  if (current.length === 0) return show([], current);
  const ranked = entries.map((entry) => ({ entry, place: rank(entry, current) }));
  const matching = ranked.filter(({ place }) => place !== null);
  matching.sort((a, b) => a.place - b.place);
  show(matching.map(({ entry }) => entry), current);
}
function readWords() {
  return input.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
}
function show(matching, words) {
  found.textContent = words.length === 0 ? '' : formatCount(matching.length);
  results.hidden = matching.length === 0;
  results.replaceChildren(...matching.slice(0, SHOWN_MAX).map((entry) => renderEntry(entry, words)));
}
function formatCount(count) {
  if (count === 0) return 'No document contains these words';
  return count + ' found' + (count > SHOWN_MAX ? ', the first ' + SHOWN_MAX + ' are shown' : '');
}
function renderEntry({ text, about, url, body, lower }, words) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = url;
  link.textContent = text;
  item.append(link);
  if (about !== '') item.append(' ', Object.assign(document.createElement('small'), { textContent: about }));
  const word = words.find((each) => lower.includes(each));
  if (word !== undefined) item.append(renderExcerpt(body, lower.indexOf(word), word.length));
  return item;
}
function renderExcerpt(body, at, length) {
  const [from, to] = [Math.max(0, at - AROUND), at + length + AROUND];
  const line = document.createElement('p');
  const mark = document.createElement('mark');
  mark.textContent = body.slice(at, at + length);
  line.append((from > 0 ? '…' : '') + body.slice(from, at), mark, body.slice(at + length, to));
  if (to < body.length) line.append('…');
  return line;
}
function clear() {
  input.value = '';
  search();
}
// The list of documents may be longer than the window. It shows the link of this document.
const guides = document.querySelector('.guides');
const current = guides.querySelector('[aria-current]');
if (current !== null) guides.scrollTop = current.offsetTop - guides.clientHeight / 2;
input.addEventListener('focus', () => load().catch(() => undefined));
input.addEventListener('input', search);
input.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') clear();
  if (event.key === 'Enter') results.querySelector('a')?.click();
});
// A link to a heading of this page does not load a page.
results.addEventListener('click', ({ target }) => {
  if (target.closest('a') !== null) setTimeout(clear);
});
`;
