/** Tests the commands of docs/ci.md, run unchanged against a real service. The program itself runs in this process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { runCommand } from '../../src/embedded/run-command';
import { openSharedService, type SharedService } from '../support/shared-service';
import { isLongForm } from '../support/test-size';
import { waitUntil } from '../support/wait-until';
import { openShellCli, type ShellCli } from './in-process-cli';
import { copyShopExample } from './shop-example';
import { type ShopTarget, startShop } from './shop-target';

const root = join(__dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'ci.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'keepwatch-recipes-'));
const REPORT = join('reports', 'keepwatch.xml');

let service: SharedService;
let cli: ShellCli;
let shop: ShopTarget;
let apiKey: string;

beforeAll(async () => {
  shop = await startShop();
  service = await openSharedService();
  ({ apiKey } = await service.newAccount());
  copyShopExample(join(folder, 'monitoring'));
  cli = await openShellCli(folder);
  program('bin/npm', '[ "$*" = "install --global keepwatch" ]');
  program('deploy.sh', 'keepwatch maintenance list --output json > meanwhile.json');
});
afterAll(async () => {
  await cli?.close();
  await service?.close();
  await shop?.close();
  rmSync(folder, { recursive: true, force: true });
});

function program(name: string, line: string): void {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${line}\n`);
  chmodSync(file, 0o755);
}

/** Returns the code block that follows the marker of the recipe in docs/ci.md. */
function recipe(name: string): string {
  const from = page.indexOf(`<!-- recipe: ${name} -->\n`);
  const block = /```\w+\n([\s\S]*?)```/.exec(from === -1 ? '' : page.slice(from))?.[1];
  if (block === undefined) throw new Error(`docs/ci.md has no recipe ${name}`);
  return block;
}

const shellEnvironment = () => ({
  PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
  HOME: folder,
  KEEPWATCH_URL: service.url,
  KEEPWATCH_API_KEY: apiKey,
  SHOP_URL: shop.url,
});

function shell(script: string, environment: Record<string, string> = {}) {
  return runCommand('bash', ['-c', `cd '${folder}'\n${script}`], {
    environment: { ...shellEnvironment(), ...environment },
    timeoutMs: 90_000,
  });
}

async function read<Answer>(path: string, shape: z.ZodType<Answer>): Promise<Answer> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const answer = await fetch(`${service.url}/v1/${path}`, { headers });
  return shape.parse(JSON.parse(await answer.text()));
}

const windows = z.object({ data: z.array(z.looseObject({ id: z.string(), state: z.string() })) });

function textOf(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

it('`apply` creates what the files define, and reports drift only after a manual change', async () => {
  expect(await shell(recipe('try out before the merge'))).toMatchObject({ code: 0 });
  expect(textOf(REPORT)).toContain('<testsuite');
  expect(await shell(recipe('apply after the merge'))).toMatchObject({ code: 0 });
  expect(await shell(recipe('nightly drift check'))).toMatchObject({ code: 0 });
  const monitors = z.object({ data: z.array(z.looseObject({ id: z.string() })) });
  const [monitor] = (await read('monitors?q=shop-home', monitors)).data;
  await fetch(`${service.url}/v1/monitors/${monitor?.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: '{"interval":45}',
  });
  expect(await shell(recipe('nightly drift check'))).toMatchObject({
    code: 6,
    stdout: expect.stringContaining('interval'),
  });
  expect(await shell(recipe('apply after the merge'))).toMatchObject({ code: 0 });
});

it('a scenario that fails after the deployment fails the job, and the report names the failed step', async () => {
  expect(await shell(recipe('deploy, then verify'))).toMatchObject({ code: 0 });
  expect(textOf(REPORT)).not.toContain('<failure');
  shop.isBroken = true;
  expect(await shell(recipe('deploy, then verify'))).toMatchObject({ code: 1 });
  shop.isBroken = false;
  expect(textOf(REPORT)).toContain('<failure');
  expect(textOf(REPORT)).toContain('log in');
});

it('maintenance ends with the deployment, even if the deployment fails', async () => {
  const activeOf = ({ data }: z.output<typeof windows>) =>
    data.filter(({ state }) => state === 'active').length;
  for (const name of ['maintenance around a deployment', 'maintenance over several jobs']) {
    expect(await shell(recipe(name))).toMatchObject({ code: 0 });
    expect(activeOf(windows.parse(JSON.parse(textOf('meanwhile.json'))))).toBe(1);
    expect(activeOf(await read('maintenance-windows', windows))).toBe(0);
  }
  program('deploy.sh', 'exit 9');
  rmSync(join(folder, REPORT), { force: true });
  expect(await shell(recipe('maintenance around a deployment'))).toMatchObject({ code: 9 });
  expect(activeOf(await read('maintenance-windows', windows))).toBe(0);
  // The recipe stopped at the failed command, so it wrote no report.
  expect(() => textOf(REPORT)).toThrow('ENOENT');
  program('deploy.sh', 'true');
});

it('maintenance ends when the pipeline is stopped', async () => {
  const start = ['maintenance', 'start', '--minutes', '30', '--all', '--name', 'stopped'];
  const child = spawn(
    join(folder, 'bin', 'keepwatch'),
    [...start, '--', 'sh', '-c', 'echo started; exec sleep 600'],
    {
      env: shellEnvironment(),
    },
  );
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  await waitUntil('the command has started', () => stdout.includes('started'));
  const { data } = await read('maintenance-windows', windows);
  expect(data.find(({ name }) => name === 'stopped')).toMatchObject({ state: 'active' });
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(128 + 15);
  const after = await read('maintenance-windows', windows);
  expect(after.data.find(({ name }) => name === 'stopped')).toMatchObject({ state: 'over' });
});

const githubShape = z.object({
  jobs: z.record(
    z.string(),
    z.object({ steps: z.array(z.looseObject({ run: z.string().optional() })) }),
  ),
});
const gitlabShape = z.object({
  default: z.object({ before_script: z.array(z.string()) }),
  deploy: z.object({ script: z.array(z.string()) }),
  drift: z.object({ script: z.array(z.string()) }),
});

function githubCommands(): readonly string[] {
  const { jobs } = githubShape.parse(parse(recipe('github')));
  return Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
}

function gitlabCommands(): readonly string[] {
  const file = gitlabShape.parse(parse(recipe('gitlab')));
  return [...file.default.before_script, ...file.deploy.script, ...file.drift.script];
}

function jenkinsCommands(): readonly string[] {
  return [...recipe('jenkins').matchAll(/\bsh '([^']+)'/g)].map(([, command = '']) => command);
}

const ofKeepwatch = (commands: readonly string[]) =>
  commands.filter((command) => command.startsWith('keepwatch'));

it('the GitLab and Jenkins recipes run the same commands as the GitHub recipe', () => {
  const commands = ofKeepwatch(githubCommands());
  expect(commands).toHaveLength(4);
  expect([gitlabCommands(), jenkinsCommands()].map(ofKeepwatch)).toEqual([commands, commands]);
});

if (isLongForm)
  it('every command of the GitHub recipe succeeds, and the run has the pipeline as its source', async () => {
    const commands = githubCommands();
    for (const command of commands) {
      const ended = await shell(command, { GITHUB_ACTIONS: 'true', GITHUB_SHA: 'abc' });
      expect({ command, ...ended }).toMatchObject({ command, code: 0 });
    }
    const lists = z.object({ data: z.array(z.looseObject({ id: z.string() })) });
    const [scenario] = (await read('scenarios', lists)).data;
    const runs = z.object({ data: z.array(z.looseObject({ source: z.unknown() })) });
    const { data } = await read(`scenarios/${scenario?.id}/results?trigger=api`, runs);
    expect(data[0]?.source).toMatchObject({ provider: 'github', commit: 'abc' });
  });
