/**
 * Tests the typed client in the npm package, which a common generator builds from the OpenAPI document. A program that
 * imports `keepwatch/client` compiles under a strict compiler and works.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandResult, runCommand } from '../../../src/embedded/run-command';
import { type RecordingTarget, startRecordingTarget } from '../../support/recording-target';
import { openSharedService, type SharedService } from '../../support/shared-service';

const ROOT = join(__dirname, '..', '..', '..');
const PACKAGES = join(ROOT, 'node_modules');
const COMPILER_OPTIONS = {
  strict: true,
  target: 'es2022',
  lib: ['es2023', 'dom'],
  module: 'commonjs',
  moduleResolution: 'bundler',
  types: ['node'],
  outDir: 'made',
};

let service: SharedService;
let target: RecordingTarget;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-client-'));
  target = await startRecordingTarget((_request, response) => response.end('fine'));
  service = await openSharedService();
});
afterAll(async () => {
  await service?.close();
  await target?.close();
  rmSync(folder, { recursive: true });
});

async function runNode(script: string, ...given: readonly string[]): Promise<CommandResult> {
  return runCommand(process.execPath, [script, ...given], {
    environment: process.env,
    timeoutMs: 100_000,
  });
}

/** Installs the files of the package that a program sees. */
function installPackage(): void {
  const packages = join(folder, 'node_modules');
  const own = join(packages, 'keepwatch');
  mkdirSync(own, { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(own, 'package.json'));
  cpSync(join(ROOT, 'dist', 'client'), join(own, 'dist', 'client'), { recursive: true });
  for (const scope of ['@oazapfts', '@types'])
    symlinkSync(join(PACKAGES, scope), join(packages, scope));
}

test('the typed client compiles, and can create, patch, list and run resources and wait for runs', async () => {
  const { apiKey } = await service.newAccount();
  expect(await runNode(join(ROOT, 'scripts', 'client.mjs'))).toMatchObject({ code: 0 });
  installPackage();
  cpSync(join(__dirname, '..', 'files', 'client-program.txt'), join(folder, 'program.ts'));
  const project = { compilerOptions: COMPILER_OPTIONS, files: ['program.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
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
