/**
 * Tests that client generators of other languages accept the served OpenAPI document unchanged. A Python client is
 * generated and used against the application. Types for TypeScript compile. openapi-generator builds a client that can
 * be imported. A Go client of oapi-codegen compiles. The tests need Python 3 with pip, npm, Java and Go.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../src/embedded/run-command';
import { accountOfSuite, suiteService } from '../test-service';

const MADE_WITHIN_MS = 10 * 60_000;
const PYTHON_CLIENT = 'openapi-python-client==0.29.1';
const TYPESCRIPT = ['openapi-typescript@7.10.1', 'typescript@5.9.3'];
const OPENAPI_GENERATOR = 'openapi-generator-cli==7.26.0';
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

const service = suiteService();
const account = accountOfSuite(service);
let folder: string;

/** The output of the command; throws with the whole output if the exit code is not 0. */
async function run(
  command: string,
  given: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, given, {
    environment: { ...process.env, ...environment },
    timeoutMs: MADE_WITHIN_MS,
  });
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

/** The path of a program in a fresh environment with the packages installed. */
async function installPython(name: string, ...packages: readonly string[]) {
  const home = join(folder, name);
  await run('python3', ['-m', 'venv', home]);
  await run(join(home, 'bin', 'pip'), ['install', '--quiet', ...packages]);
  return (program: string) => join(home, 'bin', program);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-clients-'));
  const document = await fetch(`${service.url}/v1/openapi.json`);
  writeFileSync(join(folder, 'openapi.json'), await document.text());
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a client of openapi-python-client is complete and works', async () => {
  const binary = await installPython('python-client', PYTHON_CLIENT);
  const made = join(folder, 'made');
  mkdirSync(made);
  await run(
    binary('openapi-python-client'),
    [
      'generate',
      '--fail-on-warning',
      '--meta=none',
      `--path=${join(folder, 'openapi.json')}`,
      `--output-path=${join(made, 'keepwatch_client')}`,
    ],
    { PATH: `${binary('')}:${process.env['PATH'] ?? ''}` },
  );
  const said = await run(
    binary('python'),
    [join(__dirname, '..', 'files', 'client-program.py'), service.url, account.key],
    { PYTHONPATH: made },
  );
  expect(JSON.parse(said)).toEqual({
    interval: 300,
    type: 'http',
    names: ['Made by a generated client', 'Nightly'],
    channel: 'webhook',
    steps: ['open'],
    problem: 'not_found',
    refused: 'validation_failed',
  });
});

test('types of openapi-typescript compile and contain the fields that a program reads', async () => {
  const home = join(folder, 'typescript');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--prefix', home, '--no-audit', '--no-fund', ...TYPESCRIPT]);
  const binary = (name: string): string => join(home, 'node_modules', '.bin', name);
  const types = join(home, 'keepwatch.ts');
  await run(binary('openapi-typescript'), [join(folder, 'openapi.json'), '--output', types]);
  cpSync(join(__dirname, '..', 'files', 'types-program.txt'), join(home, 'program.ts'));
  const flags = ['--strict', '--noEmit', '--target', 'es2022', '--moduleResolution', 'bundler'];
  await run(binary('tsc'), [...flags, '--module', 'esnext', types, join(home, 'program.ts')]);
});

test('a client of openapi-generator for Python can be imported and reads a monitor', async () => {
  const binary = await installPython('openapi-generator', OPENAPI_GENERATOR);
  const made = join(folder, 'made-by-generator');
  await run(binary('openapi-generator-cli'), [
    'generate',
    '--generator-name=python',
    `--input-spec=${join(folder, 'openapi.json')}`,
    `--output=${made}`,
    '--additional-properties=packageName=keepwatch_generated',
  ]);
  await run(binary('pip'), ['install', '--quiet', '--requirement', join(made, 'requirements.txt')]);
  const said = await run(
    binary('python'),
    [join(__dirname, '..', 'files', 'generator-program.py'), service.url, account.key],
    { PYTHONPATH: made },
  );
  expect(JSON.parse(said)).toEqual({ type: 'http', name: 'Made by openapi-generator', total: 1 });
});

test('a Go client of oapi-codegen compiles, creates a monitor, lists it and reads a refusal', async () => {
  const home = join(folder, 'go');
  const made = join(home, 'keepwatch');
  mkdirSync(made, { recursive: true });
  await run('go', ['install', OAPI_CODEGEN], { GOBIN: home });
  await run(join(home, 'oapi-codegen'), [
    '-generate=types,client',
    '-package=keepwatch',
    `-o=${join(made, 'client.go')}`,
    join(folder, 'openapi.json'),
  ]);
  cpSync(join(__dirname, '..', 'files', 'oapi-program.go'), join(home, 'main.go'));
  writeFileSync(join(home, 'go.mod'), 'module example.com/program\n\ngo 1.24\n');
  await run('go', ['-C', home, 'mod', 'tidy']);
  await run('go', ['-C', home, 'build', '-o', join(home, 'program'), '.']);
  const said = await run(join(home, 'program'), [service.url, account.key]);
  expect(JSON.parse(said)).toEqual({
    type: 'http',
    name: 'Made by oapi-codegen',
    total: 1,
    refused: 'validation_failed',
  });
});
