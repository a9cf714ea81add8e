/**
 * The script of all pages below /docs. It applies theme and language before the first paint, so that the layout does not
 * shift. It shares the stored theme with the dashboard.
 */
import { LANGUAGES } from './samples';

export const SCRIPT = `'use strict';
const root = document.documentElement;
const CHOICES = {
  theme: { key: 'mantine-color-scheme-value', known: ['auto', 'light', 'dark'] },
  language: { key: 'keepwatch-sample-language', known: ${JSON.stringify(LANGUAGES.map(({ language }) => language))} },
};
function choose(name, value) {
  root.dataset[name] = value;
  for (const button of document.querySelectorAll('button[data-' + name + ']'))
    button.setAttribute('aria-pressed', String(button.dataset[name] === value));
}
function keep(name, value) {
  choose(name, value);
  // If storing fails, the choice lasts until the page is closed.
  try { localStorage.setItem(CHOICES[name].key, value); } catch {}
}
function kept(name) {
  const { key, known } = CHOICES[name];
  let value = null;
  try { value = localStorage.getItem(key); } catch {}
  return known.includes(value) ? value : known[0];
}
for (const name of Object.keys(CHOICES)) choose(name, kept(name));

/** Expands the collapsed element that the URL of the page links to. */
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = target?.closest('details');
  if (folded) folded.open = true;
  return target;
}
/** Collapses the lists of a document on narrow screens, and expands them on wide screens. */
const wide = matchMedia('(min-width:62rem)');
function fold() {
  for (const list of document.querySelectorAll('[data-fold]')) list.open = wide.matches;
}
wide.addEventListener('change', fold);
// Runs while the page is still being parsed. An element that expands or collapses before it is shown does not
// shift the layout.
const reading = new MutationObserver(() => {
  fold();
  reveal();
});
reading.observe(document, { childList: true, subtree: true });

function filterBy(text) {
  const words = text.toLowerCase().split(/\\s+/).filter((word) => word !== '');
  let found = 0;
  for (const section of document.querySelectorAll('main section')) {
    let shown = 0;
    for (const item of section.querySelectorAll('[data-words]')) {
      item.hidden = !words.every((word) => item.dataset.words.includes(word));
      if (!item.hidden) shown += 1;
    }
    section.hidden = shown === 0;
    found += shown;
  }
  document.getElementById('found').textContent = words.length === 0 ? '' : found + ' found';
}

/** Lets the page be filtered. */
function offerFilter(filter) {
  addEventListener('hashchange', () => {
    // The filter may hide the target of the link, so it is cleared.
    filter.value = '';
    filterBy('');
    reveal()?.scrollIntoView();
  });
  filter.addEventListener('input', () => filterBy(filter.value));
  filter.addEventListener('keydown', (event) => {
    const first = document.querySelector('main section:not([hidden]) [data-words]:not([hidden])');
    if (event.key !== 'Enter' || first === null) return;
    // The default action would collapse the element that gets the focus.
    event.preventDefault();
    if (first.tagName === 'DETAILS') first.open = true;
    first.querySelector('summary, a').focus();
  });
}

/** Marks the link of the part that is being read, in the lists of links to parts of the page. */
function markReading() {
  const parts = [];
  for (const link of document.querySelectorAll('.side a[href^="#"], .contents a')) {
    const part = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (part !== null) parts.push({ link, part });
  }
  let marked = null;
  const mark = () => {
    // At the end of the page, its last part is read, even if it cannot move further up.
    const isAtEnd = scrollY + innerHeight >= root.scrollHeight - 1;
    const lineY = isAtEnd ? innerHeight : innerHeight / 4;
    const begun = parts.filter(
      ({ part }) => !part.hidden && part.getBoundingClientRect().top <= lineY,
    );
    const link = begun.at(-1)?.link ?? null;
    if (link === marked) return;
    marked?.removeAttribute('aria-current');
    marked = link;
    if (link === null) return;
    link.setAttribute('aria-current', 'true');
    const list = link.closest('details');
    list.scrollTop = link.offsetTop - list.clientHeight / 2;
  };
  addEventListener('scroll', mark, { passive: true });
  mark();
}

document.addEventListener('DOMContentLoaded', () => {
  const theme = document.getElementById('theme');
  // Documents have no filter. They have a search, with its own script.
  const filter = document.getElementById('filter');
  theme.value = root.dataset.theme;
  choose('language', root.dataset.language);
  fold();
  reveal();
  reading.disconnect();
  if (filter !== null) offerFilter(filter);
  markReading();
  theme.addEventListener('change', () => keep('theme', theme.value));
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, select') !== null;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    document.querySelector('input[type=search]').focus();
  });
  document.addEventListener('click', async ({ target }) => {
    const button = target.closest('button');
    if (button === null) return;
    if (button.dataset.language !== undefined) keep('language', button.dataset.language);
    if (button.dataset.copy === undefined) return;
    const chosen = '[data-sample="' + root.dataset.language + '"]';
    const sample = button.closest('.samples')?.querySelector(chosen) ?? button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(sample.textContent);
      button.textContent = 'Copied';
    } catch {
      // Without TLS, the browser offers no clipboard, so the sample is selected instead.
      getSelection().selectAllChildren(sample);
    }
  });
});
`;
