/**
 * Tests that everything that the last release promised still works. If a test fails, docs/compatibility.md describes
 * what to do.
 *
 * Covers:
 * - surface/read-names
 * - surface/read-webhooks
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readRecord } from '../../src/schemas/loose';
import { findFaultyAnnouncements } from '../../src/surface/announcements';
import { CLOSED_FIELDS } from '../../src/surface/compare-schemas';
import { findNarrowings } from '../../src/surface/compare-surfaces';
import { readSurface, renderSurface } from '../../src/surface/read-surface';
import type { Surface } from '../../src/surface/surface';
import { propertyOptions } from '../support/property-runs';
import { createRandom } from '../support/random';

const read = (...path: readonly string[]): unknown =>
  JSON.parse(readFileSync(join(__dirname, ...path), 'utf8'));

/** Checks only a few fields, because scripts/surface.mjs has written the file and its shape is known. */
const isSurface = (value: unknown): value is Surface =>
  typeof value === 'object' && value !== null && 'operations' in value && 'names' in value;

const given = read('released.json');
if (!isSurface(given)) throw new Error('test/surface/released.json is not a surface');
const released: Surface = given;
const today = new Date().toISOString().slice(0, 10);
const current = readSurface(today);

/** Changes that the comparison reports although they cannot break any program, such as a pattern that accepts more. */
const accepted = z
  .array(z.strictObject({ at: z.string(), change: z.string(), reason: z.string().min(20) }))
  .parse(read('accepted.json'));

test('nothing of the released surface was removed or narrowed without an announcement', () => {
  const isAccepted = (narrowing: { readonly at: string; readonly change: string }) =>
    accepted.some(({ at, change }) => at === narrowing.at && change === narrowing.change);
  const narrowings = findNarrowings({ released, current, today });
  expect(narrowings.filter((narrowing) => !isAccepted(narrowing))).toEqual([]);
  const found = narrowings.map(({ at, change }) => `${at}: ${change}`);
  expect(
    accepted.map(({ at, change }) => `${at}: ${change}`).filter((each) => !found.includes(each)),
  ).toEqual([]);
});

test('everything deprecated was announced in time', () => {
  const changelog = readFileSync(join(__dirname, '../../CHANGELOG.md'), 'utf8');
  expect(findFaultyAnnouncements({ released, current, changelog })).toEqual([]);
});

test('the surface has operations, schemas, and names of every kind', () => {
  expect(Object.keys(current.operations).length).toBeGreaterThan(100);
  expect(Object.keys(current.schemas).length).toBeGreaterThan(100);
  const sorts = new Set(Object.keys(current.names).map((name) => name.split(' ')[0]));
  expect(sorts).toEqual(
    new Set(['command', 'error', 'exit', 'file', 'metric', 'option', 'setting', 'tool', 'webhook']),
  );
  expect(current.names).toMatchObject({
    'setting KEEPWATCH_SECRET_KEY_FILE': {},
    'metric probe_success': { same: { type: 'gauge' } },
    'option run --tag': { same: { value: 'required' } },
    'webhook alert.* cause code': { same: { type: 'string' } },
    'webhook monitor.changed data health': { same: { type: 'string' } },
  });
});

test('docs/compatibility.md names exactly the closed fields', () => {
  const page = readFileSync(join(__dirname, '../../docs/compatibility.md'), 'utf8');
  expect(page).toContain(`\n${CLOSED_FIELDS.map((field) => `\`${field}\``).join(', ')}\n`);
});

test('a surface that is written to a file is read back unchanged', () => {
  expect(JSON.parse(renderSurface(current))).toEqual(JSON.parse(JSON.stringify(current)));
});

test('a removed field of any schema is reported', () => {
  const { numRuns, seed } = propertyOptions(1);
  const random = createRandom(seed);
  const withFields = Object.entries(current.schemas).filter(([, schema]) => 'properties' in schema);
  const pick = <Entry>(entries: readonly Entry[]): readonly Entry[] =>
    entries.slice(Math.floor(random() * entries.length)).slice(0, 1);
  for (let run = 0; run < numRuns; run += 1)
    for (const [name, schema] of pick(withFields)) {
      const fields = Object.entries(readRecord(schema['properties']));
      const [removed] = pick(fields);
      const properties = Object.fromEntries(fields.filter((field) => field !== removed));
      const schemas = { ...current.schemas, [name]: { ...schema, properties } };
      const changed = { ...current, schemas };
      const found = findNarrowings({ released: current, current: changed, today });
      expect({ name, field: removed?.[0], found }).not.toMatchObject({ found: [] });
    }
});
