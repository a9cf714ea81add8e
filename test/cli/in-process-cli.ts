/**
 * Runs the command line inside this process, alone or for a shell. packed-cli.ts runs the installed package as a
 * process.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startRecordingTarget } from '../support/recording-target';
import type { CliEnd, CliOptions, PackedCli } from './packed-cli';
import { onTerminal } from './terminal';

export type InProcessCli = Omit<PackedCli, 'main' | 'modules' | 'unpackedBytes'>;

/**
 * Opens the command line in a new folder. It sees only `environment` and PATH. The folder is the working directory of
 * this process until `close` is called.
 */
export function openCli(environment: Readonly<Record<string, string>>): InProcessCli {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-cli-'));
  process.chdir(folder);
  const run = (parameters: readonly string[], options: CliOptions = {}): Promise<CliEnd> =>
    onTerminal(parameters, {
      isTerminal: false,
      now: () => Date.now(),
      input: options.input ?? '',
      environment: {
        PATH: process.env['PATH'] ?? '',
        KEEPWATCH_CONFIG_DIR: join(folder, 'login'),
        ...environment,
        ...options.environment,
      },
    });
  return {
    folder,
    run,
    async json(parameters, options) {
      const end = await run([...parameters, '--output', 'json'], options);
      return { ...end, value: end.stdout === '' ? null : JSON.parse(end.stdout) };
    },
    write(name, text) {
      const file = join(folder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    close: () => {
      process.chdir(before);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const MAIN = join(__dirname, '..', '..', 'dist', 'cli', 'main.js');

export interface ShellCli {
  readonly close: () => Promise<void>;
}

/**
 * Writes the program `keepwatch` to `bin` in the folder, for a shell that works there. The folder is the working
 * directory of this process until `close` is called. Each call runs inside this process, which is faster than starting
 * a program. Only `keepwatch maintenance` is started as a program, because it runs a program itself.
 */
export async function openShellCli(folder: string): Promise<ShellCli> {
  const before = process.cwd();
  process.chdir(folder);
  const receiver = await startRecordingTarget(({ body }, response) => {
    void runCall(body).then((code) => response.end(String(code)));
  });
  const file = join(folder, 'bin', 'keepwatch');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, shellProgram(receiver.origin));
  chmodSync(file, 0o755);
  return {
    close: async () => {
      process.chdir(before);
      await receiver.close();
    },
  };
}

/**
 * Returns a shell script that sends the folder of its output files, its parameters and its environment to this process.
 * Each value ends with NUL.
 */
function shellProgram(origin: string): string {
  return `#!/bin/sh
[ "$1" != maintenance ] || exec '${process.execPath}' '${MAIN}' "$@"
end=$(mktemp -d)
code=$({ printf '%s\\0' "$end" "$#" "$@"; env -0; } | curl -sS --noproxy '*' --data-binary @- '${origin}/')
cat "$end/stdout"
cat "$end/stderr" >&2
rm -r "$end"
exit "$code"
`;
}

async function runCall(text: string): Promise<number> {
  const [end = '', count, ...rest] = text.split('\0');
  const parameters = rest.slice(0, Number(count));
  const variables = rest.slice(parameters.length).filter((line) => line.includes('='));
  const environment = Object.fromEntries(
    variables.map((line) => {
      const [name = '', ...value] = line.split('=');
      return [name, value.join('=')];
    }),
  );
  const options = { isTerminal: false, now: () => Date.now(), environment };
  const { code, stdout, stderr } = await onTerminal(parameters, options);
  writeFileSync(join(end, 'stdout'), stdout);
  writeFileSync(join(end, 'stderr'), stderr);
  return code;
}
