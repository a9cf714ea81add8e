/** Follows a recipe of docs/extending.md. Makes its changes in memory, so that a test runs the changed sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { compileFunction } from 'node:vm';
import { transformSync } from '@swc/core';

export const ROOT = join(__dirname, '..', '..');

interface Insertion {
  /** The text after which the new text is inserted. It must occur exactly once in the file. */
  readonly after: string;
  readonly text: string;
}

/** The changes of each file, by its path in the repository. */
export type Changes = Readonly<Record<string, readonly Insertion[]>>;

/** Returns the files that the numbered steps after this sentence name, in the order of the steps. */
export function listRecipeFiles(sentence: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs/extending.md'), 'utf8');
  const [, rest] = text.split(`\n${sentence}\n\n`);
  if (rest === undefined) throw new Error(`docs/extending.md does not contain: ${sentence}`);
  const [steps = ''] = rest.split('\n\n');
  return [...steps.matchAll(/`(src\/[^`]+\.ts)`/g)].map(([, path = '']) => path);
}

/** Returns paths and texts of all sources except components of pages, with the changes. */
export function readSources(changes: Changes): ReadonlyMap<string, string> {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  return new Map(files.map((path) => [path, readChanged(path, changes)]));
}

export function leaveOut(changes: Changes, path: string): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([changed]) => changed !== path));
}

/** Makes every later import in this test file use the changed modules. */
export function applyChanges(changes: Changes): void {
  for (const path of Object.keys(changes))
    jest.doMock(join(ROOT, path), () => runModule(path, readChanged(path, changes)));
}

/** Returns the text of a source with its changes. */
export function readChanged(path: string, changes: Changes): string {
  const source = readFileSync(join(ROOT, path), 'utf8');
  return (changes[path] ?? []).reduce((text, insertion) => {
    const [before, after, ...others] = text.split(insertion.after);
    if (before === undefined || after === undefined || others.length > 0)
      throw new Error(`${path} does not contain exactly once: ${insertion.after}`);
    return `${before}${insertion.after}${insertion.text}${after}`;
  }, source);
}

function runModule(path: string, source: string): object {
  const filename = join(ROOT, path);
  const { code } = transformSync(source, {
    filename,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
  });
  const exported = {};
  const run = compileFunction(code, ['exports', 'require'], { filename });
  run(exported, createRequire(filename));
  return exported;
}
