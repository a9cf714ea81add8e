/** Tests rules that hold for the help of every command. */
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program';
import { onTerminal } from './terminal';

const GLOBAL_OPTIONS = ['--output <format>', '--url <url>', '--no-color', '--quiet'];

/** The verbs with which descriptions begin. A description that begins with another verb adds it here. */
const VERBS =
  'Acknowledge Add Apply Change Check Convert Create Delete End Export Follow Get Import Invite Let List Manage ' +
  'Pause Print Publish Remove Resume Revoke Rotate Run Save Send Serve Set Show Start Suspend Test Undo Write';

function listCommands(command: Command, path: readonly string[] = []): readonly Named[] {
  return command.commands.flatMap((child) => {
    const own = [...path, child.name()];
    return [{ path: own, child }, ...listCommands(child, own)];
  });
}

interface Named {
  readonly path: readonly string[];
  readonly child: Command;
}

const sink = new Writable();
const surroundings = { stdout: sink, stderr: sink, version: '0.0.0' } as never;
const COMMANDS = listCommands(createProgram({ surroundings, exitCode: 0 }));

test.each(COMMANDS.map(({ path }) => path.join(' ')))(
  'the help of `%s` fits 80 columns and shows the options of all commands',
  async (path) => {
    const { code, stdout } = await onTerminal([...path.split(' '), '--help']);
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const [, globals = ''] = stdout.split('Global Options:\n');
    for (const option of GLOBAL_OPTIONS) expect(globals).toContain(option);
  },
);

test('every description begins with a verb in the imperative', () => {
  const verbs = VERBS.split(' ');
  const others = COMMANDS.map(({ child }) => child.description()).filter(
    (text) => !verbs.includes(text.split(/\W/)[0] ?? ''),
  );
  expect(others).toEqual([]);
});

test('the list of commands is grouped, and names every command', async () => {
  const { stdout } = await onTerminal(['--help']);
  const [, list = ''] = stdout.split('help for command\n\n');
  const [commands = ''] = list.split('\nExit codes:');
  const headings = commands.split('\n').filter((line) => /^\S/.test(line));
  expect(headings).toEqual([
    'Run and check:',
    'Files:',
    'Incidents:',
    'Maintenance:',
    'Status pages:',
    'Jobs:',
    'Administration:',
    'Set-up:',
  ]);
  const names = commands.split('\n').flatMap((line) => /^ {2}(\S+)/.exec(line)?.[1] ?? []);
  const expected = COMMANDS.filter(({ path }) => path.length === 1).map(({ path }) => path[0]);
  expect(names).toEqual([...expected, 'help']);
});
