/** Tests that commands in the documents exist in the command line, with the options shown. */
import { onTerminal } from '../cli/terminal';
import { readPages } from './read-docs';

const GROUPS = new Set(
  'monitors scenarios maintenance posts subscribers secrets regions'.split(' '),
);
/** Matches the end of our command in a shell line. */
const END = /\s--\s|[|;>)#]|\s\\$|$/m;

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

function pathOf(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words;
  return GROUPS.has(first) ? [first, second] : [first];
}

async function helpOf(path: readonly string[]): Promise<string> {
  const [own, all] = [await onTerminal([...path, '--help']), await onTerminal(['--help'])];
  expect({ path, code: own.code, stderr: own.stderr }).toEqual({ path, code: 0, stderr: '' });
  expect(own.stdout).toContain(`keepwatch ${path.join(' ')} `);
  return own.stdout + all.stdout;
}

test('the check of commands finds the commands in the documents', () => {
  expect(commands.length).toBeGreaterThan(20);
});

test.each(commands)('$file: the command line accepts `keepwatch $command`', async ({ command }) => {
  const words = command.replaceAll(/["']/g, '').split(/\s+/);
  const help = await helpOf(pathOf(words));
  const options = words.filter((word) => /^--?[a-z]/.test(word));
  const unknown = options.filter((option) => !new RegExp(`(?:^|\\s)${option}\\b`).test(help));
  expect(unknown).toEqual([]);
});
