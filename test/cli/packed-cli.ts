/**
 * Runs the command line as people install it. npm packs it and installs it into an empty folder, without a registry.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '..', '..');
export interface CliEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The type that JSON.parse returns. */
type Json = ReturnType<typeof JSON.parse>;

export interface CliOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface PackedCli {
  /** An empty folder in which the commands run. */
  readonly folder: string;
  readonly main: string;
  /** The folder into which npm has installed the package. */
  readonly modules: string;
  readonly unpackedBytes: number;
  readonly run: (parameters: readonly string[], options?: CliOptions) => Promise<CliEnd>;
  /** Runs the command with `--output json`. Returns the parsed output. */
  readonly json: (
    parameters: readonly string[],
    options?: CliOptions,
  ) => Promise<CliEnd & { readonly value: Json }>;
  readonly write: (name: string, text: string) => string;
  readonly close: () => void;
}

/** Packs and installs the command line. It sees only `environment` and PATH. */
export async function packCli(environment: Readonly<Record<string, string>>): Promise<PackedCli> {
  const base = mkdtempSync(join(tmpdir(), 'keepwatch-cli-'));
  const source = join(base, 'source');
  const run = promisify(execFile);
  await run(process.execPath, [join(root, 'scripts', 'cli-package.mjs'), source]);
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', base, source];
  const [{ filename, unpackedSize }] = JSON.parse((await run('npm', pack)).stdout);
  const installed = join(base, 'installed');
  mkdirSync(installed);
  const install = ['install', '--offline', '--no-audit', '--prefix', installed];
  await run('npm', [...install, join(base, filename)]);
  const folder = join(base, 'work');
  mkdirSync(folder);
  const modules = join(installed, 'node_modules');
  const main = join(modules, 'keepwatch', 'dist', 'cli', 'main.js');
  const call = (parameters: readonly string[], options: CliOptions = {}): Promise<CliEnd> =>
    start(main, parameters, {
      ...options,
      folder,
      environment: { ...environment, ...options.environment },
    });
  return {
    folder,
    main,
    modules,
    unpackedBytes: unpackedSize,
    run: call,
    async json(parameters, options) {
      const end = await call([...parameters, '--output', 'json'], options);
      return { ...end, value: end.stdout === '' ? null : JSON.parse(end.stdout) };
    },
    write(name, text) {
      const file = join(folder, name);
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    close: () => rmSync(base, { recursive: true, force: true }),
  };
}

function start(
  main: string,
  parameters: readonly string[],
  { folder, environment, input = '' }: CliOptions & { readonly folder: string },
): Promise<CliEnd> {
  const child = spawn(process.execPath, [main, ...parameters], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
  });
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (texts.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (texts.stderr += String(chunk)));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...texts })));
}
