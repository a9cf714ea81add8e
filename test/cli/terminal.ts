/** Runs the command line inside this process, on a terminal or a pipe in memory. */
import { PassThrough } from 'node:stream';
import { runCli } from '../../src/cli/program';

interface Place {
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** The text that is typed at the terminal or sent through the pipe. */
  readonly input?: string;
  /** The clock. By default, it is stopped at a fixed time. */
  readonly now?: () => number;
}

const NOW_MS = Date.parse('2026-01-31T12:00:00Z');

export async function onTerminal(
  parameters: readonly string[],
  { isTerminal = true, columns = 80, environment = {}, input = '', now = () => NOW_MS }: Place = {},
) {
  const texts = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof texts): NodeJS.WriteStream => {
    const stream = new PassThrough();
    stream.on('data', (chunk) => (texts[name] += String(chunk)));
    return Object.assign(stream, { isTTY: isTerminal, columns }) as never;
  };
  const stdin = Object.assign(new PassThrough(), {
    isTTY: isTerminal,
    setRawMode: () => undefined,
  });
  stdin.end(input);
  const code = await runCli(parameters, {
    stdin: stdin as never,
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    environment: { KEEPWATCH_CONFIG_DIR: '/nonexistent', ...environment },
    version: '0.0.0-test',
    now,
  });
  return { code, ...texts };
}
