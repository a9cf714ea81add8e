/**
 * Tests that no test sleeps or asserts how long something took. Such a test fails on a busy machine, or waits too long
 * on a fast one. `clocks-allowed.json` lists the exceptions with their reasons. No single wait has its own limit,
 * because `waitUntil` accepts none.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import allowed from './clocks-allowed.json';

const TESTS = join(__dirname, '..');
/**
 * Folder of shared helpers, which these rules do not apply to. It contains the single limit of waits, and stand-ins for
 * slow machines and servers.
 */
const SUPPORT = 'support/';
/** Upper bound of the number of exceptions. It may grow only if a rule becomes stricter. */
const EXCEPTIONS_MAX = 14;

const RULES = [
  'sleeps',
  'compares with the clock',
  'bounds a duration',
  'measures a duration',
] as const;
type Rule = (typeof RULES)[number];

const NOW = String.raw`(?:Date|performance)\.now\(\)`;
const BOUND = String.raw`\.(?:not\.)?to(?:BeLess|BeGreater|BeCloseTo)`;
const JUDGED = String.raw`\.(?:not\.)?toBe`;

const PATTERNS: Readonly<Record<Exclude<Rule, 'sleeps'>, readonly RegExp[]>> = {
  'compares with the clock': [
    new RegExp(`${NOW}(?: ?- ?[\\w.]+)? ?[<>]=? ?`, 'g'),
    new RegExp(`(?<!=)[<>]=? ?${NOW}`, 'g'),
    new RegExp(`expect\\([^;]*?${NOW} ?- ?[^;]*?${BOUND}`, 'g'),
    new RegExp(`expect\\([^;]*?- ?${NOW}[^;]*?${JUDGED}`, 'g'),
    new RegExp(`\\b(?:const|let) (\\w+) =[^;]*?- ?${NOW}[^;]*;(?=.*?\\bexpect\\(\\1\\b)`, 'g'),
  ],
  'bounds a duration': [/expect\([^;]*?(?:took|elapsed)\w*[^;]*?\)\.toBeLess/gi],
  // Does not match a clock that is passed to the product: `now: () => performance.now()`.
  'measures a duration': [/(?<!=> )\bperformance\.now\(\)/g],
};

/** Returns the file without comments, as one line. */
function compact(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/(^|[\s;{}(),])\/\/.*$/gm, '$1')
    .replaceAll(/\s+/g, ' ');
}

function countSleeps(text: string): number {
  const imports = /import \{([^}]*)\} from 'node:timers\/promises'/.exec(text)?.[1] ?? '';
  const names = [...imports.matchAll(/\bsetTimeout(?: as (\w+))?/g)];
  const calls = names.map(([, alias = 'setTimeout']) => `(?:await|void) ${alias}\\(`);
  const promises = String.raw`new Promise(?:<\w+>)?\(\(?(\w+)\)? => (?:\{ )?setTimeout\(\1`;
  const pages = String.raw`\.waitForTimeout\(`;
  return text.match(new RegExp([...calls, promises, pages].join('|'), 'g'))?.length ?? 0;
}

function findings(source: string): ReadonlyMap<Rule, number> {
  const text = compact(source);
  const countOf = (rule: Rule): number => {
    if (rule === 'sleeps') return countSleeps(text);
    return PATTERNS[rule].reduce((sum, one) => sum + (text.match(one)?.length ?? 0), 0);
  };
  return new Map(RULES.map((rule) => [rule, countOf(rule)] as const).filter(([, count]) => count));
}

const EXCEPTION = z.strictObject({
  file: z.string(),
  rule: z.enum(RULES),
  times: z.int().positive(),
  reason: z.string().min(20),
});

test('no test sleeps or judges a result by elapsed time, except for the listed exceptions', () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.startsWith(SUPPORT));
  expect(files.length).toBeGreaterThan(400);
  const found = files
    .filter((file) => !file.endsWith('test-clocks.test.ts'))
    .flatMap((file) =>
      [...findings(readFileSync(join(TESTS, file), 'utf8'))].map(
        ([rule, times]) => `${file} ${rule}: ${times}`,
      ),
    );
  const exceptions = z.array(EXCEPTION).parse(allowed);
  expect(found.sort()).toEqual(
    exceptions.map(({ file, rule, times }) => `${file} ${rule}: ${times}`).sort(),
  );
});

test('the list of tests that may sleep or judge by elapsed time only gets shorter', () => {
  expect(allowed.length).toBeLessThanOrEqual(EXCEPTIONS_MAX);
});

test.each<[string, Partial<Record<Rule, number>>]>([
  [`import { setTimeout } from 'node:timers/promises';\nawait setTimeout(20);`, { sleeps: 1 }],
  [
    `import { setImmediate, setTimeout as sleep } from 'node:timers/promises';\nawait sleep(1);\nawait sleep(2);`,
    { sleeps: 2 },
  ],
  ['await new Promise((resolve) => setTimeout(resolve, 50));', { sleeps: 1 }],
  [`import { setTimeout } from 'node:timers/promises';\nconst port = { sleep: setTimeout };`, {}],
  ['expect(Date.now() - startedAt).toBeLessThan(5_000);', { 'compares with the clock': 1 }],
  [
    `await waitUntil('slots pass', () => Date.now() > servedAtMs);`,
    { 'compares with the clock': 1 },
  ],
  [
    'while (performance.now() < untilMs) look();',
    { 'compares with the clock': 1, 'measures a duration': 1 },
  ],
  ['const in = Date.now() - at < PROMISED_MS;', { 'compares with the clock': 1 }],
  ['expect(untilMs - Date.now()).toBeGreaterThan(9);', { 'compares with the clock': 1 }],
  [
    'const leftMs = (untilMs - Date.now()) / 1_000;\nexpect(leftMs).toBe(30);',
    { 'compares with the clock': 1 },
  ],
  ['const startedAtMs = performance.now();', { 'measures a duration': 1 }],
  ['const ports = { steadyNow: () => performance.now() };', {}],
  ['await page.waitForTimeout(500);', { sleeps: 1 }],
  [
    `import { setTimeout as sleep } from 'node:timers/promises';\nvoid sleep(1).then(stop);`,
    { sleeps: 1 },
  ],
  ['expect(\n  tookMs,\n).toBeLessThan(2_500);', { 'bounds a duration': 1 }],
  ['// expect(Date.now() - startedAt).toBeLessThan(5_000);', {}],
  ['const startsAt = new Date(Date.now() + 3_600_000); expect(rows.length).toBeLessThan(5);', {}],
])('the check of clocks finds exactly the violations in %j', (source, expected) => {
  expect(Object.fromEntries(findings(source))).toEqual(expected);
});
