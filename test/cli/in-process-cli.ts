/**
 * The command line, run inside this process, alone or for a shell. For its package and exit, see
 * packed-cli.ts.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startRecordingTarget } from '../support/recording-target';
import type { CliEnd, CliOptions, PackedCli } from './packed-cli';
import { onTerminal } from './terminal';

export type InProcessCli = Omit<PackedCli, 'main' | 'modules' | 'unpackedBytes'>;

/**
 * The command line sees only `environment` and PATH. The process works in the folder of the command
 * line until it is closed.
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
 * Provides the program `keepwatch` in `bin` of the folder, for a shell that works there. This
 * process works there too, until it is closed. Each call runs inside this process, which saves
 * starting a program. Only maintenance is started as a program, since it runs a program itself.
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

/** Sends its output streams, parameters and environment, each ended by NUL. */
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
