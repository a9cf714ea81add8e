/** The command line run inside this process, in a folder of its own. How it is packed and ends: packed-cli.ts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CliEnd, CliOptions, PackedCli } from './packed-cli';
import { onTerminal } from './terminal';

export type InProcessCli = Omit<PackedCli, 'main'>;

/** `environment` is all that the command line sees of it, and PATH. The process works in its folder until it is closed. */
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
