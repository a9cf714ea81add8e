/** Tests that the defaults and limits in the tables of docs/checks.md are those of an HTTP monitor. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { httpMonitorBody } from '../../src/kinds/http/shape';
import { ROOT } from './read-docs';

const SHAPES: Readonly<Record<string, z.ZodType>> = httpMonitorBody.shape;
const page = readFileSync(path.join(ROOT, 'docs/checks.md'), 'utf8');
const tables = page.slice(page.indexOf('## Fields of all types'), page.indexOf('## tcp'));
const rows = [...tables.matchAll(/^\| (`.+?) \| (.+?) \| (.+) \|$/gm)].map(
  ([, names = '', defaults = '', meaning = '']) => ({
    names: [...names.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name),
    defaults: (defaults.split(';')[0] ?? '').split(', '),
    meaning,
  }),
);

function readNumber(text: string): number {
  return Number(text.replaceAll(',', ''));
}

const defaults = rows.flatMap((row) =>
  row.names.flatMap((name, at) => {
    const text = row.defaults[at] ?? row.defaults[0] ?? '';
    return /^(?:null|true|false|\d[\d,]*)$/.test(text) ? [{ name, text }] : [];
  }),
);

test.each(defaults)('the default of $name is $text', ({ name, text }) => {
  expect(SHAPES[name]?.parse(undefined)).toBe(JSON.parse(text.replaceAll(',', '')));
});

const limits = rows.flatMap(({ names, meaning }) =>
  [...meaning.matchAll(/(\d[\d,]*) to (\d[\d,]*)/g)].map(([, min = '', max = '']) => ({
    name: names.at(-1) ?? '',
    min: readNumber(min),
    max: readNumber(max),
  })),
);

test.each(limits)('$name is $min to $max', ({ name, min, max }) => {
  const isValid = (value: number) => SHAPES[name]?.safeParse(value).success;
  expect([min - 1, min, max, max + 1].map(isValid)).toEqual([false, true, true, false]);
});

test('the check of fields reads both tables', () => {
  expect(rows.length).toBeGreaterThan(15);
  expect([defaults.length, limits.length]).toEqual([14, 8]);
});
