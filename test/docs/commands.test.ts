/**
 * Tests that commands in the documents exist in the command line, with the options shown, and that docs/cli.md has an
 * example of every command.
 */
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program';
import { readPages } from './read-docs';

/** Matches the end of our command in a shell line. */
const END = /\s--\s|[|;>)#]|\s\\$|$/m;

const sink = new Writable();
const surroundings = { stdout: sink, stderr: sink, version: '0.0.0' } as never;
const program = createProgram({ surroundings, exitCode: 0 });

const commands = readPages().flatMap(({ file, text }) => {
  const blocks = [...text.matchAll(/^```(?:sh|yaml|groovy)\n([\s\S]*?)^```/gm)].map(
    ([, block = '']) => block,
  );
  const inLines = [...text.matchAll(/`(keepwatch [^`]+)`/g)].map(([, line = '']) => line);
  return [...blocks.join('\n').split('\n'), ...inLines]
    .flatMap((line) => [...line.matchAll(/(?:^|[\s('"])keepwatch ([a-z].*)/g)])
    .map(([, words = '']) => ({ file, command: words.slice(0, words.search(END)).trim() }))
    .filter(({ command }) => /^[a-z]/.test(command));
});

/** Follows the words to the command that they name. `path` is its full name. */
function findCommand(words: readonly string[]) {
  let command: Command = program;
  const path: string[] = [];
  for (const word of words) {
    const child = command.commands.find(
      (one) => one.name() === word || one.aliases().includes(word),
    );
    if (child === undefined) break;
    command = child;
    path.push(child.name());
  }
  return { command, path: path.join(' ') };
}

/** Lists the names of all commands that do something, which are those without subcommands. */
function listLeaves(command: Command, path: readonly string[] = []): readonly string[] {
  return command.commands.flatMap((child) => {
    const own = [...path, child.name()];
    return child.commands.length > 0 ? listLeaves(child, own) : [own.join(' ')];
  });
}

const LEAVES = listLeaves(program);
const examples = new Set(
  commands
    .filter(({ file }) => file === 'docs/cli.md')
    .map(({ command }) => findCommand(command.split(' ')).path),
);

test('the check of commands finds the commands in the documents', () => {
  expect(commands.length).toBeGreaterThan(20);
  expect(LEAVES.length).toBeGreaterThan(50);
});

test.each(commands)('$file: the command line accepts `keepwatch $command`', ({ command: text }) => {
  const words = text.replaceAll(/["']/g, '').split(/\s+/);
  const { command, path } = findCommand(words);
  expect(path).not.toBe('');
  // Text may name a group of commands, but not a command that the group does not have.
  if (command.commands.length > 0) expect(path).toBe(words.join(' '));
  const known = [...command.options, ...program.options].flatMap(({ long, short }) => [
    long,
    short,
    '--help',
  ]);
  const options = words
    .filter((word) => /^--?[a-z]/.test(word))
    .map((word) => word.replace(/=.*/, ''));
  expect(options.filter((option) => !known.includes(option))).toEqual([]);
});

test.each(LEAVES)('docs/cli.md has an example of `keepwatch %s`', (leaf) => {
  expect(examples).toContain(leaf);
});
