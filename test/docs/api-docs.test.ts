/**
 * Tests that the documents of the API match the code: error codes, defaults and limits of fields, and links to the
 * reference. Also tests that the reference describes every route with its scope.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { renderFieldsPage } from '../../src/api/pages/reference/fields-page';
import { listOperations } from '../../src/api/pages/reference/operations';
import { renderOperationsPage } from '../../src/api/pages/reference/operations-page';
import { ROUTES } from '../../src/api/v1/route-table';
import { ERROR_STATUSES } from '../../src/contracts/error-codes';
import { httpMonitorBody } from '../../src/kinds/http/shape';
import { readRecord } from '../../src/schemas/loose';
import { SCENARIO_FIELD_NAMES, scenarioBody, stepShape } from '../../src/schemas/scenario';
import { statusPageBody } from '../../src/schemas/status-pages/status-page';
import { shownDocument } from '../api/whole-document';
import { ROOT, readPages } from './read-docs';

const REFERENCE: Readonly<Record<string, string>> = {
  '/docs': renderOperationsPage(shownDocument, { fontUrl: null }),
  '/docs/fields': renderFieldsPage(shownDocument, { fontUrl: null }),
};

function readDocument(name: string): string {
  return readFileSync(path.join(ROOT, name), 'utf8');
}

/** Returns the text from a heading to the next heading that is not below it. */
function readSection(name: string, heading: string): string {
  const text = readDocument(name);
  const start = text.indexOf(`\n${heading}\n`) + 1;
  expect(start).toBeGreaterThan(0);
  const level = heading.indexOf(' ');
  const from = start + heading.length;
  const length = text.slice(from).search(new RegExp(`^#{1,${level}} `, 'm'));
  return length === -1 ? text.slice(start) : text.slice(start, from + length);
}

/** Returns the cells of each row of all tables of the text, without the lines of headings. */
function readRows(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

function readNames(cell = ''): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

/** The bounds of JSON Schema that a table states. */
const BOUNDS = ['minimum', 'maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;

/** Returns the schema of a field in bodies, without the alternative null. */
function readField(shape: z.ZodType, name: string): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  const field = readRecord(readRecord(schema.properties)[name]);
  const { anyOf } = field;
  if (!Array.isArray(anyOf)) return field;
  const [first] = anyOf.map(readRecord).filter(({ type }) => type !== 'null');
  return { ...first, ...field };
}

function format(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en-US');
  return typeof value === 'string' ? `\`${value}\`` : JSON.stringify(value);
}

const TABLES = [
  ['docs/api/monitors.md', '## Fields', httpMonitorBody],
  ['docs/api/scenarios.md', '## Fields', scenarioBody.shape],
  ['docs/api/scenarios.md', '### Fields of a step', stepShape],
  ['docs/api/status-pages.md', '## Fields', statusPageBody],
] as const;

test.each(TABLES)(
  'the tables of %s, "%s", state defaults and limits as the schema does',
  (file, heading, shape) => {
    const section = readSection(file, heading);
    const rows = readRows(heading === '## Fields' ? (section.split('\n### ')[0] ?? '') : section);
    expect(rows.length).toBeGreaterThan(5);
    for (const [names, stated = '', ...others] of rows)
      for (const name of readNames(names)) {
        const field = readField(shape, name);
        expect([name, Object.keys(field).length > 0]).toEqual([name, true]);
        const { default: standard } = field;
        if (typeof standard === 'number' || typeof standard === 'boolean')
          expect([name, stated]).toEqual([name, format(standard)]);
        if (typeof standard === 'string') expect([name, stated]).toEqual([name, format(standard)]);
        const limits = others.join(' ');
        for (const bound of BOUNDS) {
          const value = field[bound];
          const isStated = typeof value !== 'number' || limits.includes(format(value));
          expect([name, bound, isStated]).toEqual([name, bound, true]);
        }
      }
  },
);

test.each([
  ['docs/api/monitors.md', Object.keys(httpMonitorBody.shape)],
  ['docs/api/scenarios.md', SCENARIO_FIELD_NAMES],
  ['docs/api/status-pages.md', Object.keys(statusPageBody.shape)],
])('%s names every field under "Fields"', (file, fields) => {
  const named = new Set(
    readNames(readSection(file, '## Fields').replaceAll(/^```[\s\S]*?^```/gm, '')),
  );
  expect(fields.filter((name) => !named.has(name))).toEqual([]);
});

test('docs/api.md lists every error code with its status, in the order of the code', () => {
  const rows = readRows(readSection('docs/api.md', '### Error codes'));
  const listed = rows.map(([code = '', status]) => [readNames(code)[0], Number(status)]);
  expect(listed).toEqual(Object.entries(ERROR_STATUSES));
  for (const [, , meaning, action] of rows) expect([meaning, action]).not.toContain('');
});

test('every link of a document to the reference leads to an operation, a group or a field', () => {
  const links = readPages().flatMap(({ file, text }) =>
    [...text.matchAll(/^\[[^\]]+\]: (\/docs(?:\/fields)?)(?:#(\S+))?$/gm)].map(
      ([, page = '', anchor = '']) => ({ file, page, anchor }),
    ),
  );
  expect(links.length).toBeGreaterThan(20);
  const dead = links.filter(
    ({ page, anchor }) => anchor !== '' && !REFERENCE[page]?.includes(` id="${anchor}"`),
  );
  expect(dead).toEqual([]);
});

test('the reference describes every route with its scope', () => {
  const operations = listOperations(shownDocument);
  expect(ROUTES.length).toBeGreaterThan(150);
  for (const { method, path: pattern, doc, scope } of ROUTES) {
    const { operationId } = doc;
    const shown = pattern.replaceAll(/:(\w+)/g, '{$1}');
    const operation = operations.find(({ id }) => id === operationId);
    expect(operation).toMatchObject({ method, path: shown });
    expect(REFERENCE['/docs']).toContain(`<details id="${operationId}"`);
    expect([operationId, operation?.needsKey]).toEqual([operationId, scope !== 'public']);
    if (scope === 'public' || scope === 'operator') continue;
    expect([operationId, operation?.description]).toEqual([
      operationId,
      expect.stringContaining(`\`${scope}\``),
    ]);
  }
});
