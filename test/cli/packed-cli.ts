/**
 * The command line as people install it: packed by npm and unpacked into an empty folder, with only
 * its dependencies next to it.
 */
import { execFile, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '..', '..');
/** The only packages that are available to it. */
const PACKAGES = [
  '@babel/parser',
  'commander',
  'croner',
  'junit-report-builder',
  'liquidjs',
  're2js',
  'tldts',
  'yaml',
  'zod',
];
const FOLDERS = [
  'cli',
  'config',
  'contracts',
  'domain',
  'formats',
  'kinds',
  'mcp',
  'notify',
  'platform',
  'schemas',
];

export interface CliEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** As JSON.parse gives it. */
type Json = ReturnType<typeof JSON.parse>;

export interface CliOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface PackedCli {
  /** An empty folder in which the commands run. */
  readonly folder: string;
  readonly main: string;
  readonly run: (parameters: readonly string[], options?: CliOptions) => Promise<CliEnd>;
  /** Like run, with `--output json`; returns the parsed output. */
  readonly json: (
    parameters: readonly string[],
    options?: CliOptions,
  ) => Promise<CliEnd & { readonly value: Json }>;
  readonly write: (name: string, text: string) => string;
  readonly close: () => void;
}

/** The command line sees only `environment` and PATH. */
export async function packCli(environment: Readonly<Record<string, string>>): Promise<PackedCli> {
  const base = mkdtempSync(join(tmpdir(), 'keepwatch-cli-'));
  const source = join(base, 'source');
  for (const name of FOLDERS)
    cpSync(join(root, 'dist', name), join(source, 'dist', name), { recursive: true });
  const packageFile = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const published = { ...packageFile, files: ['dist'], bin: { keepwatch: 'dist/cli/main.js' } };
  writeFileSync(join(source, 'package.json'), JSON.stringify(published));
  const run = promisify(execFile);
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', base], {
    cwd: source,
  });
  const modules = join(base, 'installed', 'node_modules');
  mkdirSync(join(modules, '@babel'), { recursive: true });
  const tarball = join(base, `keepwatch-${packageFile.version}.tgz`);
  await run('tar', ['-xzf', tarball, '-C', modules]);
  const installed = join(modules, 'package');
  for (const name of PACKAGES) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  const folder = join(base, 'work');
  mkdirSync(folder);
  const main = join(installed, 'dist', 'cli', 'main.js');
  const call = (parameters: readonly string[], options: CliOptions = {}): Promise<CliEnd> =>
    start(main, parameters, {
      ...options,
      folder,
      environment: { ...environment, ...options.environment },
    });
  return {
    folder,
    main,
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
