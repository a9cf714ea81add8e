/** The script that searches all documents. If scripts are turned off, the search field stays hidden. */
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
    headings.map(({ text, anchor }, position) => [text, anchor, others[position]]),
  ]);
  return `export const INDEX = ${JSON.stringify(index)};\n`;
}

export const SEARCH_SCRIPT = `'use strict';
const SHOWN_MAX = 20;
/** How many characters of a text are shown before and after the word that was found. */
const AROUND = 70;
/** Words of questions that say nothing about their subject. */
const COMMON = new Set(
  'a an and are as at be by can do does for from get how i if in is it me my of on or our the there to we what when where which who why will with you'.split(' '),
);
const more = document.getElementById('doc-more');
const input = document.getElementById('doc-search');
const found = document.getElementById('doc-found');
const results = document.getElementById('doc-results');
let entries = null;

/** Loads the texts. They are large, so they are loaded only when the reader is about to search. */
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
/**
 * Rates how well the entry matches. The number of words that it contains counts first. Among entries with the same
 * number, a word in a heading counts more than a word in the document's title, and a word in the title counts more than
 * a word in the text. null means that the entry contains none of the words.
 */
function rate({ about, head, path, lower }, words) {
  const points = words.map((word) => {
    if (head.includes(word)) return about === '' ? 9 : 6;
    if (path.includes(word)) return 3;
    return lower.includes(word) ? 1 : 0;
  });
  const count = points.filter((point) => point > 0).length;
  return count === 0 ? null : { count, sum: points.reduce((sum, point) => sum + point) };
}
/** Returns the entries that contain the most words, best match first. */
function findBest(words) {
  const rated = entries.map((entry) => ({ entry, rate: rate(entry, words) })).filter(({ rate }) => rate !== null);
  const most = Math.max(...rated.map(({ rate }) => rate.count));
  const best = rated.filter(({ rate }) => rate.count === most);
  return best.sort((a, b) => b.rate.sum - a.rate.sum).map(({ entry }) => entry);
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
  show(findBest(current), current);
}
function readWords() {
  const all = input.value.toLowerCase().split(/[^\\p{L}\\p{N}_$./-]+/u).filter((word) => word !== '');
  const words = all.filter((word) => !COMMON.has(word));
  return words.length === 0 ? all : words;
}
function show(matching, words) {
  found.textContent = words.length === 0 ? '' : formatCount(matching.length);
  results.hidden = matching.length === 0;
  more.hidden = words.length === 0;
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
  // The excerpt begins and ends between words.
  const from = at <= AROUND ? 0 : body.indexOf(' ', at - AROUND) + 1;
  const end = at + length + AROUND;
  const to = end >= body.length ? body.length : Math.max(at + length, body.lastIndexOf(' ', end));
  const line = document.createElement('p');
  const mark = document.createElement('mark');
  mark.textContent = body.slice(at, at + length);
  line.append((from > 0 ? '… ' : '') + body.slice(from, at), mark, body.slice(at + length, to));
  if (to < body.length) line.append(' …');
  return line;
}
function clear() {
  input.value = '';
  search();
}
// The list of documents may be longer than the window. It is scrolled to the link of this document.
const side = document.querySelector('.side');
const current = side.querySelector('[aria-current]');
if (current !== null) side.scrollTop = current.offsetTop - side.clientHeight / 2;
input.addEventListener('focus', () => load().catch(() => undefined));
input.addEventListener('input', search);
input.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') clear();
  if (event.key === 'Enter') results.querySelector('a')?.click();
});
// A link to a heading of this page loads no new page, so the results must be cleared here.
results.addEventListener('click', ({ target }) => {
  if (target.closest('a') !== null) setTimeout(clear);
});
`;
