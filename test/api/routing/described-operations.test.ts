/** Tests that the reference describes every operation and every parameter, and that its links lead somewhere. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { renderDocument } from '../../../src/api/pages/documents/render-document';
import { listOperations } from '../../../src/api/pages/reference/operations';
import { renderOperationsPage } from '../../../src/api/pages/reference/operations-page';
import { TAGS } from '../../../src/api/routing/route-doc';
import { ROUTES } from '../../../src/api/v1/route-table';
import { ERROR_MEANINGS, ERROR_STATUSES } from '../../../src/contracts/error-codes';
import { shownDocument } from '../whole-document';

const ROOT = path.join(__dirname, '../../..');
const operations = listOperations(shownDocument);
const page = renderOperationsPage(shownDocument, { fontUrl: null });

test('every summary is unique: a verb in the imperative, and its object', () => {
  const summaries = ROUTES.map(({ doc }) => doc.summary);
  expect(summaries.filter((summary, at) => summaries.indexOf(summary) !== at)).toEqual([]);
  expect(summaries.filter((summary) => !/^[A-Z][a-z]+(?: [\w-]+)+$/.test(summary))).toEqual([]);
});

/** The first word of a summary, for operations whose path and method have one meaning. */
const VERBS = [
  [/^list[A-Z]/, 'List'],
  [/^get[A-Z]/, 'Get'],
  [/^create[A-Z]/, 'Create'],
  [/^replace[A-Z]/, 'Replace'],
  [/^update[A-Z]/, 'Update'],
  [/^delete[A-Z]/, 'Delete'],
] as const;

test.each(VERBS)('the summary of an operation named %s begins with %s', (name, verb) => {
  const named = ROUTES.filter(({ doc }) => name.test(doc.operationId));
  expect(named.length).toBeGreaterThan(5);
  const others = named.filter(({ doc }) => !doc.summary.startsWith(`${verb} `));
  expect(others.map(({ doc }) => doc.summary)).toEqual([]);
});

test('every operation has a description of whole sentences', () => {
  const odd = ROUTES.filter(({ doc }) => !/^[A-Z].{20,}\.$/.test(doc.description));
  expect(odd.map(({ doc }) => doc.operationId)).toEqual([]);
});

test('every parameter has a description', () => {
  const silent = operations.flatMap(({ id, parameters }) =>
    parameters
      .filter(
        ({ description = '', schema = {} }) => `${description}${schema.description ?? ''}` === '',
      )
      .map(({ name }) => `${id} ${name}`),
  );
  expect(silent).toEqual([]);
});

test('every guide is a document, and has the heading that the link names', () => {
  const guides = [...new Set(ROUTES.map(({ doc }) => doc.guide))];
  const broken = guides.filter((guide) => {
    const [file = '', heading] = guide.split('#');
    const { headings } = renderDocument(readFileSync(path.join(ROOT, file), 'utf8'), () => null);
    return heading !== undefined && !headings.some(({ anchor }) => anchor === heading);
  });
  expect(broken).toEqual([]);
  for (const { guide } of operations) expect(page).toContain(`href="${guide}"`);
});

test('every group of the reference has operations, and the groups that most people use come first', () => {
  const used = new Set(ROUTES.map(({ doc }) => doc.tag));
  const tags = Object.keys(TAGS);
  expect(tags.filter((tag) => ![...used].some((one) => one === tag))).toEqual([]);
  expect(tags.slice(0, 2)).toEqual(['Monitors', 'Results']);
  expect(tags.at(-1)).toBe('Operator');
});

test('every error code has its status, its meaning and what to do, and responses link to it', () => {
  expect(Object.keys(ERROR_MEANINGS)).toEqual(Object.keys(ERROR_STATUSES));
  for (const [code, { meaning, action }] of Object.entries(ERROR_MEANINGS)) {
    for (const text of [meaning, action]) expect(text).toMatch(/^[A-Z`].+\.$/);
    expect(page).toContain(`<div id="error-${code}"`);
  }
  const linked = new Set([...page.matchAll(/href="#error-(\w+)"/g)].map(([, code]) => code));
  linked.delete('codes');
  const known: readonly string[] = Object.keys(ERROR_STATUSES);
  expect([...linked].filter((code) => !known.includes(code ?? ''))).toEqual([]);
  for (const code of ['validation_failed', 'rate_limited', 'version_mismatch', 'in_use'])
    expect(linked).toContain(code);
});
