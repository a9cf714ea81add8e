// Hashes of the files in the checkout, so that a check that has passed on the same files is not repeated.
// The records are stored inside the checkout: a clean clone checks everything.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../install.mjs';

const FILE = join(root, 'node_modules', '.cache', 'keepwatch', 'passed.json');

/** Path → hash of every file that git tracks or would track; null without git. */
export function readTree() {
  const listed = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (listed.status !== 0) return null;
  const tree = {};
  for (const path of new Set(listed.stdout.split('\0').filter(Boolean))) {
    try {
      tree[path] = createHash('sha1')
        .update(readFileSync(join(root, path)))
        .digest('hex');
    } catch {
      // Deleted, but not yet in a commit.
    }
  }
  return tree;
}

function readRecords() {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'));
  } catch {
    return {};
  }
}

/** The state of the files when the step last passed; null if it never has. */
export function treeOfLastPass(step) {
  return readRecords()[step] ?? null;
}

/** Paths whose content differs, including deleted files. */
export function changedPaths(before, now) {
  const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...paths].filter((path) => before[path] !== now[path]).sort();
}

export function notePassed(step, tree) {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify({ ...readRecords(), [step]: tree }));
}

/** The name of the step of `npm run verify` that runs the tests without servers. */
export const UNIT_TESTS = 'unit tests';

/** Whether the tests without servers have passed on exactly these files. */
export function haveUnitTestsPassed() {
  const [before, now] = [treeOfLastPass(UNIT_TESTS), readTree()];
  return before !== null && now !== null && changedPaths(before, now).length === 0;
}
