/**
 * Lists every module that handles untrusted text, and every library that such text can make slow, with its thread,
 * deadline and memory limit. The tests fail if a type of task, an importer or a pool is missing in the tables.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import type { TextTask } from '../../src/text/text-task';
import { createTooSlowResult } from '../../src/text/text-thread';

const ROOT = join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/**
 * Libraries that untrusted text can make slow. `create-redactor` is our own module, which searches long texts for many
 * secret values.
 */
const ENGINES = [
  '@cfworker/json-schema',
  'croner',
  'jsonpath-plus',
  'liquidjs',
  'markdown-it',
  're2js',
  'rrule-temporal',
  'create-redactor',
];

interface Importer {
  readonly engines: readonly string[];
  /**
   * `worker` means a worker thread of the pool. `loop` means the event loop, within the limits that the file `loop`
   * sets.
   */
  readonly runs: 'worker' | { readonly loop: string; readonly bounds: readonly string[] };
}

const IMPORTERS: Readonly<Record<string, Importer>> = {
  'src/text/text-work.ts': {
    engines: ['create-redactor', 'jsonpath-plus', 're2js'],
    runs: 'worker',
  },
  'src/text/foreign-view.ts': { engines: ['create-redactor'], runs: 'worker' },
  'src/text/liquid.ts': { engines: ['liquidjs'], runs: 'worker' },
  'src/text/markdown.ts': { engines: ['markdown-it'], runs: 'worker' },
  'src/text/match-schema.ts': { engines: ['@cfworker/json-schema'], runs: 'worker' },
  'src/schemas/patterns.ts': {
    engines: ['re2js'],
    runs: {
      loop: 'reads a pattern that is saved, and runs none',
      bounds: ['pattern.length > PATTERN_MAX', 'measurePattern(pattern) > PATTERN_SIZE_MAX'],
    },
  },
  'src/api/pages/documents/render-document.ts': {
    engines: ['markdown-it'],
    runs: {
      loop: 'only the documents of the installation, each once',
      bounds: ['html: false'],
    },
  },
  'src/schemas/cron-times.ts': {
    engines: ['croner'],
    runs: {
      loop: 'five short fields, and few due times',
      bounds: ['.length !== FIELDS', '.nextRuns(LOOKED_AT,'],
    },
  },
  'src/services/maintenance/occurrences.ts': {
    engines: ['rrule-temporal'],
    runs: {
      loop: 'a rule of bounded length, and a bounded number of periods',
      bounds: ['maxIterations: PERIODS_MAX'],
    },
  },
};

interface TaskUse {
  readonly example: TextTask;
  /** Time limit for a short text in milliseconds, in a worker thread with 128 MiB. */
  readonly deadlineMs: number;
  /** If true, long texts get this time limit for each 256 KiB. */
  readonly grows: boolean;
}

const schema = { type: 'jsonSchema', operator: 'matches', value: true, severity: 'fail' } as const;
const TASKS: Readonly<Record<TextTask['kind'], TaskUse>> = {
  survey: { example: { kind: 'survey' }, deadlineMs: 1_000, grows: true },
  path: { example: { kind: 'path', path: '$', want: 'all' }, deadlineMs: 100, grows: false },
  pattern: { example: { kind: 'pattern', pattern: 'a' }, deadlineMs: 100, grows: true },
  assertion: {
    example: { kind: 'assertion', assertion: schema },
    deadlineMs: 100,
    grows: false,
  },
  search: { example: { kind: 'search', subject: 'a' }, deadlineMs: 1_000, grows: true },
  redaction: {
    example: { kind: 'redaction', subject: 'a', isBroken: false },
    deadlineMs: 1_000,
    grows: true,
  },
  markdown: { example: { kind: 'markdown', subject: 'a' }, deadlineMs: 500, grows: true },
  template: {
    example: { kind: 'template', template: 'a', values: {}, markup: 'plain', isStrict: false },
    deadlineMs: 500,
    grows: true,
  },
};
const MEMORY_MB = 128;

/**
 * The files that create a pool of worker threads, one in each process that handles untrusted text. A worker can be
 * reached only through a pool.
 */
const POOLS: Readonly<Record<string, string>> = {
  'src/checks/step-runner.ts': 'probe',
  'src/main/api-services.ts': 'API',
  'src/main/compose-activities.ts': 'orchestrator',
};

/** Files that may run tasks on untrusted text without the pool, each with the reason why this is safe. */
const WORKBENCHES: Readonly<Record<string, string>> = {
  'src/text/text-worker.ts': 'the worker thread itself',
  'src/text/short-work.ts': 'plain paths in at most 16 KiB: no pattern, schema, filter or descent',
};

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  .map((file) => ({ file, text: read(file) }));

/** Matches the modules that a file imports or loads. Does not match type-only imports. */
const IMPORT =
  /(?:^(?:import|export) (?!type\b)[\w\s{},*$]*?from |^import |\b(?:import|require)\()'([^']+)'/gm;

function importsOf(text: string): readonly string[] {
  return [...text.matchAll(IMPORT)].map(([, name = '']) => name);
}

function enginesOf(text: string): readonly string[] {
  const names = importsOf(text);
  const isOf = (engine: string) => (name: string) =>
    name === engine || name.startsWith(`${engine}/`) || name.endsWith(`/${engine}`);
  return ENGINES.filter((engine) => names.some(isOf(engine))).sort();
}

const filesWith = (pattern: RegExp): readonly string[] =>
  sources
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file)
    .sort();

test('the table of importers lists exactly the source files that import a library for untrusted text', () => {
  const found = sources
    .map(({ file, text }) => [file, enginesOf(text)] as const)
    .filter(([, engines]) => engines.length > 0);
  const listed = Object.entries(IMPORTERS).map(([file, { engines }]) => [file, engines]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed));
});

test('the list of libraries for untrusted text contains every package that src/text imports', () => {
  const packages = sources
    .filter(({ file }) => file.startsWith('src/text/'))
    .flatMap(({ text }) => importsOf(text))
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:'));
  expect([...new Set(packages)].filter((name) => !ENGINES.includes(name))).toEqual([]);
});

test('code for untrusted text is in src/text, except for code with stated limits that runs on the event loop', () => {
  for (const [file, { runs }] of Object.entries(IMPORTERS)) {
    if (runs === 'worker') expect(file).toMatch(/^src\/text\//);
    else for (const bound of runs.bounds) expect(read(file)).toContain(bound);
  }
});

const importRules = z.object({
  forbidden: z.array(
    z.looseObject({
      name: z.string(),
      from: z.looseObject({ pathNot: z.union([z.string(), z.array(z.string())]).optional() }),
      to: z.looseObject({ path: z.union([z.string(), z.array(z.string())]).optional() }),
    }),
  ),
});

test('only src/text and the listed importers may import a library for untrusted text', () => {
  const { forbidden } = importRules.parse(require('../../.dependency-cruiser.cjs'));
  const rule = forbidden.find(({ name }) => name === 'foreign-engines-in-worker-threads');
  for (const engine of ENGINES) expect(String(rule?.to.path)).toContain(engine);
  const onLoop = Object.entries(IMPORTERS).filter(([, { runs }]) => runs !== 'worker');
  const excepted = onLoop.map(([file]) => `^${file.replace('.ts', '\\.ts')}$`);
  expect(rule?.from.pathNot).toEqual(['^src/text/', ...excepted]);
});

test('each type of task on untrusted text has the deadline that the table of tasks states', () => {
  const declared = read('src/text/text-task.ts').matchAll(/\bkind: '(\w+)'/g);
  const kinds = [...new Set([...declared].map(([, kind = '']) => kind))];
  expect(kinds.sort()).toEqual(Object.keys(TASKS).sort());
  for (const { example, deadlineMs, grows } of Object.values(TASKS)) {
    const longMs = grows ? deadlineMs * 2 : deadlineMs;
    const ends = (ms: number) => ({ problem: expect.stringContaining(`longer than ${ms} ms`) });
    expect(createTooSlowResult(example, 'x')).toEqual(ends(deadlineMs));
    expect(createTooSlowResult(example, 'x'.repeat(256 * 1_024 + 1))).toEqual(ends(longMs));
  }
});

test('every worker thread for untrusted text has a memory limit of 128 MB', () => {
  const slot = read('src/text/text-thread.ts');
  expect(slot.match(/new Worker\(/g)).toHaveLength(1);
  expect(slot).toContain('resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX }');
  expect(slot).toContain(`MEMORY_MB_MAX = ${MEMORY_MB};`);
  expect(filesWith(/text-worker'/)).toEqual(['src/text/text-thread.ts']);
});

test('only the listed files create worker threads for untrusted text or process such text in another thread', () => {
  expect(filesWith(/(?<!function )\bcreateTextPool\(/)).toEqual(Object.keys(POOLS).sort());
  expect(filesWith(/(?<!function )\bcreateWorkbench\(/)).toEqual(Object.keys(WORKBENCHES).sort());
  expect(filesWith(/from '[^']*\/text-work'/)).toEqual(Object.keys(WORKBENCHES).sort());
  expect(filesWith(/from '[^']*\/(?:liquid|match-schema|foreign-view)'/)).toEqual([
    'src/text/text-work.ts',
  ]);
  expect(filesWith(/(?<!function )\brunShortTasks\(/)).toEqual(['src/checks/examine-response.ts']);
});
