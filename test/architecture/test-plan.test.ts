/** `npm test` leaves out no file: its plan is held against the files that are there. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { longest } from '../support/longest-first.json';

const ROOT = path.join(__dirname, '../..');
const planShape = z.record(z.string(), z.array(z.string()).min(1));

test('every test with servers is in exactly one run of npm test', () => {
  const printed = execFileSync('node', [path.join(ROOT, 'scripts/test-plan.mjs')], {
    encoding: 'utf8',
  });
  const runs = Object.values(planShape.parse(JSON.parse(printed)));
  const files = readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.it.test.ts'))
    .map((name) => path.join('test', name));
  expect(files.length).toBeGreaterThan(100);
  const runsOf = (file: string) => runs.filter((run) => run.some((part) => file.startsWith(part)));
  expect(files.filter((file) => runsOf(file).length !== 1)).toEqual([]);
});

test('what begins first in its run is there', () => {
  expect(longest.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
});
