/** Tests which packages each process loads at its start. Each package uses memory until the process ends. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SOURCE = join(__dirname, '..', '..', 'src');
/** Matches a static import of values. Does not match `import()`, which loads a module later. */
const IMPORT = /^(?:import|export) (?!type\b)(?:([^;']*?) from )?'([^']+)';/gm;
const TYPES_ONLY = /^\{(?:\s*type \w+(?: as \w+)?,?)+\s*\}$/;

function importsOf(text: string): readonly string[] {
  return [...text.matchAll(IMPORT)]
    .filter(([, names = '']) => !TYPES_ONLY.test(names.trim()))
    .map(([, , from = '']) => from);
}

function fileOf(path: string): string {
  const file = [`${path}.ts`, join(path, 'index.ts')].find((one) => existsSync(one));
  if (file === undefined) throw new Error(`nothing is at ${path}`);
  return file;
}

/** Returns the packages that the program loads, directly or through our own modules. */
function packagesOf(program: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const files = new Set([fileOf(join(SOURCE, 'main', program))]);
  for (const file of files)
    for (const from of importsOf(readFileSync(file, 'utf8'))) {
      if (from.startsWith('.')) files.add(fileOf(join(dirname(file), from)));
      else if (!from.startsWith('node:'))
        packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from);
    }
  return packages;
}

const ENGINE = ['@temporalio/client', '@temporalio/common', '@temporalio/worker'];

test.each([
  {
    program: 'all-in-one',
    has: ['zod'],
    hasNot: [...ENGINE, 'mongoose', 'mongodb-memory-server-core', 'undici', 'pino-pretty'],
  },
  { program: 'api', has: ['@temporalio/client', 'mongoose'], hasNot: ['@temporalio/worker'] },
  { program: 'probe', has: ['@temporalio/worker', 'undici'], hasNot: ['mongoose', 'express'] },
  {
    program: 'orchestrator',
    has: ['@temporalio/worker', 'mongoose'],
    hasNot: ['express', 'zod-openapi', '@node-rs/argon2'],
  },
])('$program loads only packages that it uses', ({ program, has, hasNot }) => {
  const packages = packagesOf(program);
  expect([...packages]).toEqual(expect.arrayContaining(has));
  expect(hasNot.filter((name) => packages.has(name))).toEqual([]);
});

test('a type-only import loads no package', () => {
  const text =
    "import type { A } from 'a';\nimport { type B, type C } from 'b';\nimport { type D, d } from 'd';\n";
  expect(importsOf(text)).toEqual(['d']);
});
