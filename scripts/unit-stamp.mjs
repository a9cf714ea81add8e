// In which state of the files the tests without servers last passed, so that `npm test` after
// `npm run verify` does not run them a second time. Without git, or with changed files, it knows nothing.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './install.mjs';

const FILE = join(root, 'node_modules', '.cache', 'keepwatch-unit-tests');

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** The commit, while nothing differs from it; else null. */
function stateOfFiles() {
  return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : null;
}

export function noteUnitTestsPassed() {
  const state = stateOfFiles();
  if (state === null) return;
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, state);
}

export function haveUnitTestsPassed() {
  const state = stateOfFiles();
  try {
    return state !== null && readFileSync(FILE, 'utf8') === state;
  } catch {
    return false;
  }
}
