/**
 * Tests that modules of workflows have no state. All workflows of a process share one copy of their code, so state in a
 * module would leak from one workflow to another.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(__dirname, '..', '..', 'src');
/** Our own folders that the workflow bundle may import. */
const FOLDERS = ['workflows', 'domain', 'contracts'];

/**
 * Matches state at the top level of a module: variables that can be reassigned, and collections that are not read-only.
 */
const STATE = [
  /^(?:export )?(?:let|var) .*/gm,
  /^(?:export )?const \w+ = new (?:Weak)?(?:Map|Set|Ref)\b.*/gm,
  /^(?:export )?const \w+: (?!Readonly|readonly)[^=]* = (?:new (?:Weak)?(?:Map|Set)\b|\[\]|\{\}).*/gm,
  /^(?:export )?const \w+ = (?:\[\]|\{\}).*/gm,
];

function statesOf(text: string): readonly string[] {
  return STATE.flatMap((pattern) => text.match(pattern) ?? []);
}

test('modules of the workflow bundle hold no state', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(SOURCE, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(SOURCE, folder, name)),
  );
  expect(files.length).toBeGreaterThan(120);
  const found = files.flatMap((file) =>
    statesOf(readFileSync(file, 'utf8')).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

test.each([
  'let count = 0;',
  'export let last: string;',
  'const known = new Map<string, number>();',
  'const known: Map<string, number> = new Map();',
  'const seen: string[] = [];',
  'const seen = {};',
])('the check finds `%s` at the top level of a workflow module', (line) => {
  expect(statesOf(`import x from 'y';\n${line}\n`)).toHaveLength(1);
});
