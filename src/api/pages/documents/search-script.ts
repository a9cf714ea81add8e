/** The script that searches the titles and headings of all documents. Without it, the box is not shown. */
import type { RenderedDocument } from './render-document';

interface Searched extends RenderedDocument {
  readonly name: string;
}

export function renderSearchScript(documents: readonly Searched[]): string {
  const index = documents.map(({ name, title, headings }) => [
    title,
    `/${name}`,
    headings.map(({ text, anchor }) => [text, anchor]),
  ]);
  return `'use strict';
const INDEX = ${JSON.stringify(index)};
${SCRIPT}`;
}

const SCRIPT = `const SHOWN_MAX = 20;
const ENTRIES = INDEX.flatMap(([title, url, headings]) => [
  { text: title, about: '', url },
  ...headings.map(([text, anchor]) => ({ text, about: title, url: url + '#' + anchor })),
]);
const input = document.getElementById('doc-search');
const found = document.getElementById('doc-found');
const results = document.getElementById('doc-results');

/** Titles come first, then headings that contain all words, then headings of documents whose title completes them. */
function rank({ text, about }, words) {
  if (about === '') return 0;
  return words.every((word) => text.toLowerCase().includes(word)) ? 1 : 2;
}
function search() {
  const words = input.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
  const isFound = ({ text, about }) =>
    words.every((word) => (about + ' ' + text).toLowerCase().includes(word));
  const entries = words.length === 0 ? [] : ENTRIES.filter(isFound);
  entries.sort((a, b) => rank(a, words) - rank(b, words));
  found.textContent = words.length === 0 ? '' : formatCount(entries.length);
  results.hidden = entries.length === 0;
  results.replaceChildren(...entries.slice(0, SHOWN_MAX).map(renderEntry));
}
function formatCount(count) {
  if (count === 0) return 'No title or heading contains these words';
  return count + ' found' + (count > SHOWN_MAX ? ', the first ' + SHOWN_MAX + ' are shown' : '');
}
function renderEntry({ text, about, url }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = url;
  link.textContent = text;
  item.append(link);
  if (about !== '') item.append(' ', Object.assign(document.createElement('small'), { textContent: about }));
  return item;
}
function clear() {
  input.value = '';
  search();
}
// The list of documents may be longer than the window. It shows the link of this document.
const guides = document.querySelector('.guides');
const current = guides.querySelector('[aria-current]');
if (current !== null) guides.scrollTop = current.offsetTop - guides.clientHeight / 2;
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
