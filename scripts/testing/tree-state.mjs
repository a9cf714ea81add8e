// Hashes of the files in the checkout, so that a check that has passed on the same files is not repeated.
// The records are stored inside the checkout: a clean clone checks everything.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../install.mjs';

const FILE = join(root, 'node_modules', '.cache', 'keepwatch', 'passed.json');

/**
 * Returns a map from the path of each file that git tracks, or would track, to the hash of the file. Returns null
 * without git.
 */
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
      // The file was deleted, but the deletion is not committed yet.
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

/**
 * Returns the last pass of a step: the files at that time, and the CPU seconds of the whole step. Returns null if the
 * step has never passed.
 */
export function readLastPass(step) {
  const pass = readRecords()[step];
  // NaN means that the system does not count CPU time. It is stored as null, because JSON cannot contain NaN.
  return pass?.tree === undefined ? null : { tree: pass.tree, cpu: pass.cpu ?? Number.NaN };
}

/** Returns the paths whose content differs, including deleted files. */
export function changedPaths(before, now) {
  const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...paths].filter((path) => before[path] !== now[path]).sort();
}

/**
 * Stores that the step has passed on these files. `cpu` is the cost of the whole step, even if this pass looked only at
 * changed files.
 */
export function notePassed(step, { tree, cpu }) {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify({ ...readRecords(), [step]: { tree, cpu } }));
}

/** The name of the step of `npm run verify` that runs the tests without servers. */
export const UNIT_TESTS = 'unit tests';

/** Returns the pass of the tests without servers on exactly these files, or null if there is no such pass. */
export function findUnitPass() {
  const [pass, now] = [readLastPass(UNIT_TESTS), readTree()];
  if (pass === null || now === null) return null;
  return changedPaths(pass.tree, now).length === 0 ? pass : null;
}
