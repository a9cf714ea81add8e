/** Tests what users read about a file that cannot be read, and about faults in its YAML. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSystemError } from '../../src/cli/files/file-access';
import { onTerminal } from './terminal';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-errors-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function errorOf(parameters: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await onTerminal(parameters, { isTerminal: false, input });
  expect([code, stdout]).toEqual([2, '']);
  return stderr.trimEnd();
}

test.each([
  [['apply', '-f', 'nope.yaml']],
  [['check', '-f', 'nope.yaml']],
  [['import', 'gatus', 'nope.yaml']],
  [['import', 'postman', 'nope.yaml']],
  [['import', 'checkly', 'nope.yaml']],
  [['posts', 'import', 'statuspage', 'nope.yaml']],
])('%j says that the file does not exist', async (parameters) => {
  expect(await errorOf(parameters)).toBe('keepwatch: nope.yaml does not exist.');
});

test('a folder instead of a file, and a missing include, are named', async () => {
  expect(await errorOf(['import', 'uptime-kuma', folder])).toBe(
    `keepwatch: ${folder} is a folder.`,
  );
  const file = write('a.yaml', 'include: [b.yaml]\n');
  expect(await errorOf(['apply', '-f', file])).toMatch(/a\.yaml:1: b\.yaml does not exist\.$/);
});

test('the reason of a system error contains neither its code nor the system call', () => {
  const denied = Object.assign(new Error("EACCES: permission denied, open '/a, b'"), {
    code: 'EACCES',
  });
  expect(describeSystemError(denied)).toBe('permission denied');
  expect(describeSystemError(Object.assign(new Error('spawn a ENOENT'), { code: 'ENOENT' }))).toBe(
    'it does not exist',
  );
});

/** Faults that people make most often, and the sentence about each. */
const FAULTS = [
  ['monitors:\n  - key: a\n   name: b\n', '3:1', 'The indentation does not match the lines above.'],
  ['monitors:\n  - key: a\n\tname: b\n', '3:1', 'Indent lines with spaces, not with tabs.'],
  ['a:\n  - b\n c: 1\n', '3:1', 'The indentation does not match the lines above.'],
  ['monitors:\n  - tags: [a, b\n  - key: c\n', '3:3', 'A closing ] is missing.'],
  ['monitors: {a: 1\nx: 1\n', '2:1', 'A closing } is missing.'],
  ['{"a": 1', '1:8', 'A closing } is missing.'],
  ['name: "abc\nx: 1\n', '3:1', 'A closing " is missing.'],
  ["name: 'abc\nx: 1\n", '3:1', "A closing ' is missing."],
  [
    'name: a: b\n',
    '1:7',
    'Another field begins inside this value. Put a value that contains ": " in quotes, or correct the indentation.',
  ],
  ['a: 1\na: 2\n', '2:1', 'This field is set twice.'],
  ['a: 1\nb\nc: 2\n', '2:1', 'A field needs a colon, a space and a value, like name: Shop.'],
  ['a:b\nc: d\n', '1:1', 'A field needs a colon, a space and a value, like name: Shop.'],
  ['a: @x\n', '1:4', 'A value that begins with @ needs quotes.'],
  ['a: %x\n', '1:4', 'A value that begins with % needs quotes.'],
  ['a: "\\q"\n', '1:5', '\\q is not an escape sequence. Write \\\\ for a backslash.'],
  ['a: {b: 1 c: 2}\n', '1:8', 'Separate the items in [ ] and { } with commas.'],
  ['{"a": 1 "b": 2}', '1:7', 'Separate the items in [ ] and { } with commas.'],
  ['a: [1,,2]\n', '1:7', 'An item is missing before this comma.'],
  ['a: 1\n}\n', '2:1', 'This } closes nothing.'],
  ['a: - b\n', '1:4', 'A list begins on the line after its field.'],
  [
    'a: "x" y\n',
    '1:8',
    'This text does not belong to the value before it. Check the quotes and the indentation.',
  ],
  ['%YAML 9\n---\na: 1\n', '1:7', 'This is not valid YAML: Unsupported YAML version 9.'],
] as const;

test.each(FAULTS)(
  'apply and import explain the fault in %j with its position',
  async (text, position, sentence) => {
    const expected = `keepwatch: standard input:${position}: ${sentence}`;
    expect(await errorOf(['apply', '-f', '-'], text)).toBe(expected);
    expect(await errorOf(['import', 'gatus', '-'], text)).toBe(expected);
  },
);

test('an alias without an anchor is explained, and apply shows its position', async () => {
  const text = 'monitors: []\nset: *x\n';
  const sentence = '*x stands for nothing, because &x does not come before it.';
  expect(await errorOf(['apply', '-f', '-'], text)).toBe(
    `keepwatch: standard input:2:6: ${sentence}`,
  );
  expect(await errorOf(['import', 'gatus', '-'], text)).toBe(
    `keepwatch: standard input: ${sentence}`,
  );
});

test('an import of several files names the file with the fault', async () => {
  const files = [write('a.yaml', 'endpoints: []\n'), write('b.yaml', 'endpoints: [\n')];
  expect(await errorOf(['import', 'gatus', ...files])).toContain(`keepwatch: ${files[1]}:2:1: `);
});
