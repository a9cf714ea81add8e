/**
 * The served document is enough to work with: a client that a common generator makes of it compiles
 * under a strict compiler, together with a program that uses it, and the program does its work.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CommandResult, runCommand } from '../../../src/embedded/run-command';
import { type RecordingTarget, startRecordingTarget } from '../../support/recording-target';
import { startService, type TestService } from '../../support/service';

const PACKAGES = join(__dirname, '..', '..', '..', 'node_modules');
const COMPILER_OPTIONS = {
  strict: true,
  target: 'es2022',
  lib: ['es2023', 'dom'],
  module: 'commonjs',
  moduleResolution: 'bundler',
  types: ['node'],
  outDir: 'made',
};

let service: TestService;
let target: RecordingTarget;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-client-'));
  target = await startRecordingTarget((_request, response) => response.end('fine'));
  service = await startService({ regions: ['eu-west'] });
});
afterAll(async () => {
  await service?.stop();
  await target?.close();
  rmSync(folder, { recursive: true });
});

async function runNode(script: string, ...given: readonly string[]): Promise<CommandResult> {
  return runCommand(process.execPath, [script, ...given], {
    environment: process.env,
    timeoutMs: 100_000,
  });
}

test('a generated client compiles, creates, patches, lists, runs and waits', async () => {
  const { apiKey } = await service.setup();
  const document = await fetch(`${service.url}/v1/openapi.json`);
  writeFileSync(join(folder, 'openapi.json'), await document.text());
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
  cpSync(join(__dirname, '..', 'files', 'client-program.txt'), join(folder, 'program.ts'));
  const project = { compilerOptions: COMPILER_OPTIONS, files: ['program.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));

  const generator = join(dirname(require.resolve('oazapfts')), 'cli.cjs');
  const client = join(folder, 'client.ts');
  expect(await runNode(generator, join(folder, 'openapi.json'), client)).toMatchObject({ code: 0 });
  const compiler = join(PACKAGES, 'typescript', 'bin', 'tsc');
  expect(await runNode(compiler, '-p', folder)).toMatchObject({ code: 0, stdout: '' });

  const program = join(folder, 'made', 'program.js');
  const outcome = await runNode(program, service.url, apiKey, target.origin);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(outcome.stdout)).toMatchObject({
    interval: 300,
    names: ['Made by a generated client'],
    isLast: true,
    alerts: { onDegraded: true, onFailure: true },
    passed: true,
    problem: 'not_found',
  });
});
