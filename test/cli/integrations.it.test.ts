/** Tests the GitHub Action and the GitLab component. Their steps run against a real service and a fake GitHub. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { runCommand } from '../../src/embedded/run-command';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { openSharedService, type SharedService } from '../support/shared-service';
import { openShellCli, type ShellCli } from './in-process-cli';
import { type ShopTarget, startShop } from './shop-target';

const root = join(__dirname, '..', '..');
const actionFolder = join(root, 'integrations', 'github-action');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'keepwatch-integrations-')));
const GITHUB_TOKEN = 'ghs_token-of-the-job';

const inputShape = z.object({ default: z.union([z.string(), z.boolean(), z.number()]).optional() });

const actionShape = z.object({
  inputs: z.record(z.string(), inputShape),
  runs: z.object({
    steps: z.array(
      z.object({
        shell: z.literal('bash'),
        env: z.record(z.string(), z.string()),
        run: z.string(),
      }),
    ),
  }),
});
const action = actionShape.parse(parse(readFileSync(join(actionFolder, 'action.yml'), 'utf8')));

let service: SharedService;
let cli: ShellCli;
let shop: ShopTarget;
let github: RecordingTarget;
let apiKey: string;
/** The comments of the pull request, as GitHub stores them. */
let comments: { id: number; body: string; user: { type: string } }[] = [];
let isReadOnly = false;

beforeAll(async () => {
  shop = await startShop();
  github = await startRecordingTarget(({ method, url, body }, response) => {
    const refused = isReadOnly && method !== 'GET';
    response.writeHead(refused ? 403 : 200, { 'content-type': 'application/json' });
    if (refused) return response.end('{"message":"Resource not accessible"}');
    if (method === 'GET') return response.end(JSON.stringify(comments));
    const written = z.object({ body: z.string() }).parse(JSON.parse(body));
    if (method === 'POST')
      comments.push({ id: comments.length + 1, ...written, user: { type: 'Bot' } });
    const edited = comments.find(({ id }) => url.endsWith(`/comments/${id}`));
    return response.end(JSON.stringify(edited === undefined ? {} : Object.assign(edited, written)));
  });
  service = await openSharedService();
  ({ apiKey } = await service.newAccount());
  cli = await openShellCli(folder);
  program('bin/npm', '[ "$*" = "install --global keepwatch@latest" ]');
  write('event.json', '{"pull_request": {"number": 7}}');
});
afterAll(async () => {
  await cli?.close();
  await service?.close();
  await shop?.close();
  await github?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  comments = [];
  isReadOnly = false;
});

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function program(name: string, line: string): void {
  chmodSync(write(name, `#!/bin/sh\n${line}\n`), 0o755);
}

function bash(script: string, environment: Readonly<Record<string, string>>) {
  return runCommand('bash', ['-e', '-o', 'pipefail', '-c', `cd '${folder}'\n${script}`], {
    environment: {
      PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      ...environment,
    },
    timeoutMs: 90_000,
  });
}

const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Runs the steps of the action with the inputs, until one of them fails. */
async function act(
  inputs: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
) {
  const given: Readonly<Record<string, string>> = {
    url: service.url,
    'api-key': apiKey,
    'github-token': GITHUB_TOKEN,
    ...inputs,
  };
  const readInput = (name: string): string =>
    String(given[name] ?? action.inputs[name]?.default ?? '');
  let end = { code: 0, stdout: '', stderr: '' };
  for (const { env, run } of action.runs.steps) {
    if (end.code !== 0) break;
    const filled = Object.entries(env).map(([name, text]) => [
      name,
      text.replace(/^\$\{\{ inputs\.([\w-]+) \}\}$/, (_, input: string) => readInput(input)),
    ]);
    end = await bash(run, {
      GITHUB_ACTION_PATH: actionFolder,
      GITHUB_STEP_SUMMARY: write('summary.md', ''),
      GITHUB_OUTPUT: write('output', ''),
      GITHUB_EVENT_PATH: join(folder, 'event.json'),
      GITHUB_API_URL: github.origin,
      GITHUB_REPOSITORY: 'shop/web',
      GITHUB_JOB: 'plan',
      ...environment,
      ...Object.fromEntries(filled),
    });
  }
  return { ...end, summary: read('summary.md'), output: read('output') };
}

async function list(path: string) {
  const headers = { authorization: `Bearer ${apiKey}` };
  const answer = await fetch(`${service.url}/v1/${path}`, { headers });
  const page = z.object({ data: z.array(z.looseObject({ state: z.string().optional() })) });
  return page.parse(JSON.parse(await answer.text())).data;
}

const commandsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('::'));

const monitor = (key: string, fields: string) => `  - {key: ${key}, name: ${key}, ${fields}}\n`;
const scenario = (key: string, fields = '') =>
  `scenarios:\n  - {key: ${key}, name: Walk, interval: 3600, regions: [eu-west], ${fields}steps: [{name: home, url: "${shop.url}/", assertions: [{type: status, operator: equals, value: 200}]}]}\n`;
const paused = () => `enabled: false, url: "${shop.url}/"`;

test('the GitHub Action passes inputs as variables, never as script text', () => {
  for (const { run } of action.runs.steps) expect(run).not.toContain('${{');
  const named = action.runs.steps.flatMap(({ env }) => Object.values(env));
  for (const input of Object.keys(action.inputs))
    expect(named).toContain(`\${{ inputs.${input} }}`);
});

test('a dry run in a pull request changes nothing, and updates one comment with the plan, which contains no secrets', async () => {
  write('plan/monitors.yaml', `monitors:\n${monitor('act-plan', paused())}`);
  comments = [{ id: 40, body: '<!-- keepwatch-plan plan -->\nmine', user: { type: 'User' } }];
  const inputs = { command: 'apply', files: 'plan', 'dry-run': 'true' };
  const first = await act(inputs);
  expect(first).toMatchObject({ code: 0, output: 'exit-code=0\n' });
  expect(first.summary).toContain('| + | `monitor` | `act-plan` |');
  write(
    'plan/monitors.yaml',
    `monitors:\n${monitor('act-plan', paused())}${monitor('act-more', paused())}`,
  );
  await act(inputs);
  expect(comments.map(({ id }) => id)).toEqual([40, 2]);
  expect(comments[0]?.body).toContain('mine');
  expect(comments[1]?.body).toContain('Plan: 2 create.');
  expect(await list('monitors?q=act-plan')).toEqual([]);
  const said = `${first.stdout}${first.stderr}${JSON.stringify(comments)}`;
  expect(said).not.toContain(apiKey);
  expect(said).not.toContain(GITHUB_TOKEN);
});

test('a missing permission to comment on a pull request gives a warning, and the job succeeds', async () => {
  isReadOnly = true;
  write('plan/monitors.yaml', `monitors:\n${monitor('act-plan', paused())}`);
  const end = await act({ command: 'apply', files: 'plan', 'dry-run': 'true' });
  expect(end.code).toBe(0);
  expect(commandsIn(end.stdout)).toEqual([expect.stringMatching(/^::warning::.*403/)]);
});

test('an invalid or unreadable definition file makes the CI job fail, and the error names file and line', async () => {
  write(
    'wrong/a.yaml',
    `monitors:\n${monitor('act-fine', paused())}${monitor('act-bad', 'url: ftp://x')}`,
  );
  const refused = await act({ command: 'apply', files: 'wrong' });
  expect(refused).toMatchObject({ code: 1, output: 'exit-code=1\n' });
  expect(commandsIn(refused.stdout)).toEqual([
    expect.stringMatching(/^::error file=wrong\/a\.yaml,line=3::act-bad: url must begin with http/),
  ]);
  write('broken/b.yaml', 'monitors:\n  - {key: x\n');
  const broken = await act({ command: 'check', files: 'broken' });
  expect(broken.code).toBe(2);
  expect(commandsIn(broken.stdout)).toEqual([
    expect.stringMatching(/^::error file=broken\/b\.yaml,line=\d+::/),
  ]);
});

test('untrusted text in a plan or a report never becomes a command, mention or link', async () => {
  const name = '"a|b @team [x](https://evil.example) ` <img src=x>\\n::set-output name=x::y"';
  write(
    'hostile/a.yaml',
    `monitors:\n  - {key: act-hostile, name: ${name}, url: "ftp://x/\\n::error::z"}\n`,
  );
  const end = await act({ command: 'apply', files: 'hostile', 'dry-run': 'true' });
  expect(commandsIn(end.stdout)).toHaveLength(1);
  const text = `${end.summary}\n${comments[0]?.body.split('\n').slice(1).join('\n')}`;
  const outside = text.replaceAll(/`[^`\n]*`/g, '');
  for (const foreign of ['@team', 'evil.example', '<img', '::'])
    expect(outside).not.toContain(foreign);
});

test('the CI job shows a failing check at the line of its definition', async () => {
  write(
    'check/a.yaml',
    `monitors:\n${monitor('act-up', `url: "${shop.url}/"`)}${monitor('act-down', `expectedStatus: 404, url: "${shop.url}/"`)}`,
  );
  const end = await act({ command: 'check', files: 'check' });
  expect(end.code).toBe(1);
  expect(commandsIn(end.stdout)).toEqual([
    expect.stringMatching(/^::error file=check\/a\.yaml,line=3::act-down: /),
  ]);
  expect(end.summary).toContain('| `up` | `act-up` |');
});

test("the job's status follows the status of the runs, and maintenance lasts as long as the job's script", async () => {
  write(
    'run/a.yaml',
    `${scenario('act-walk')}monitors:\n${monitor('act-tagged', `tags: [act], ${paused()}`)}`,
  );
  expect(await act({ command: 'apply', files: 'run' })).toMatchObject({ code: 0 });
  const passed = await act({ command: 'run', keys: 'act-walk' });
  expect(passed).toMatchObject({ code: 0, summary: expect.stringContaining('`passed`') });
  shop.isBroken = true;
  const failed = await act({ command: 'run', keys: 'act-walk' });
  shop.isBroken = false;
  expect(failed.code).toBe(1);
  expect(commandsIn(failed.stdout)).toEqual([expect.stringMatching(/^::error::act-walk: /)]);
  const script = 'keepwatch maintenance list --output json > meanwhile.json\nexit 9';
  expect(await act({ command: 'maintenance', tag: 'act', script })).toMatchObject({ code: 9 });
  expect(read('meanwhile.json')).toContain('"active"');
  const windows = await list('maintenance-windows');
  expect(windows.map(({ state }) => state)).not.toContain('active');
});

test('if a CI job cannot use its pipeline id, the error names the missing permission or the wrong claim of its ID token', async () => {
  const pipeline = `pip_${'0'.repeat(26)}`;
  const inputs = { command: 'apply', files: 'plan', 'api-key': '', pipeline };
  write('plan/monitors.yaml', `monitors:\n${monitor('act-plan', paused())}`);
  const without = await act(inputs);
  expect(without.code).toBe(4);
  expect(commandsIn(without.stdout)).toEqual([expect.stringContaining('id-token: write')]);
  const githubToken = await startRecordingTarget((_received, response) =>
    response.end('{"value":"id-token.of-the.run"}'),
  );
  const refused = await act(inputs, {
    ACTIONS_ID_TOKEN_REQUEST_URL: githubToken.origin,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
  });
  await githubToken.close();
  expect(refused.code).toBe(4);
  expect(commandsIn(refused.stdout)).toEqual([
    expect.stringContaining(`the ID token must be for ${service.url}.`),
  ]);
  expect(`${refused.stdout}${refused.stderr}`).not.toContain('id-token.of-the.run');
});

test('a job of an accepted pipeline applies files with a key that is valid for 15 minutes and is not in the log', async () => {
  const url = service.url.replace('127.0.0.1', 'localhost');
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const { ciIssuer: iss } = service;
  const body = {
    name: 'Shop',
    issuer: iss,
    repository: 'shop/web',
    branch: 'main',
    scopes: ['write'],
  };
  const made = await fetch(`${url}/v1/pipelines`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const { id: pipeline } = z.object({ id: z.string() }).parse(await made.json());
  let token = '';
  const githubToken = await startRecordingTarget(({ url: asked }, response) => {
    const aud = new URL(asked, url).searchParams.get('audience');
    const iat = Math.floor(Date.now() / 1_000);
    const run = {
      sub: 'repo:shop/web',
      repository: 'shop/web',
      ref: 'refs/heads/main',
      ref_type: 'branch',
    };
    void service.signIdToken({ ...run, iss, aud, iat, exp: iat + 300 }).then((value) => {
      token = value;
      response.end(JSON.stringify({ value }));
    });
  });
  write('piped/a.yaml', `monitors:\n${monitor('act-piped', paused())}`);
  const end = await act(
    { command: 'apply', files: 'piped', 'api-key': '', pipeline, url },
    {
      ACTIONS_ID_TOKEN_REQUEST_URL: githubToken.origin,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
    },
  );
  await githubToken.close();
  expect(end).toMatchObject({ code: 0, output: 'exit-code=0\n' });
  expect(await list('monitors?q=act-piped')).toHaveLength(1);
  const [key] = (await list('api-keys')).filter(({ name }) => name === 'Pipeline Shop');
  expect(key).toMatchObject({ scopes: ['write'] });
  const [from, to] = [key?.['createdAt'], key?.['expiresAt']].map((at) => Date.parse(String(at)));
  expect(Number(to) - Number(from)).toBe(15 * 60_000);
  expect(`${end.stdout}${end.stderr}${end.summary}`).not.toContain(token);
  expect(`${end.stdout}${end.stderr}${end.summary}`).not.toContain('kw_');
});

const jobShape = z.object({
  variables: z.record(z.string(), z.string()),
  before_script: z.array(z.string()),
  script: z.array(z.string()),
});

/** Returns the job of the component. Fills in the inputs as GitLab does. */
function gitlabJob(inputs: Readonly<Record<string, string>>) {
  const text = readFileSync(join(root, 'templates', 'keepwatch.yml'), 'utf8');
  const [head] = parseAllDocuments(text);
  const { spec } = z
    .object({ spec: z.object({ inputs: z.record(z.string(), inputShape) }) })
    .parse(head?.toJS());
  const filled = text
    .slice(text.indexOf('\n---\n'))
    .replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) =>
      String(inputs[name] ?? spec.inputs[name]?.default ?? ''),
    );
  return jobShape.parse(Object.values(z.record(z.string(), z.unknown()).parse(parse(filled)))[0]);
}

test('the GitLab component does the same as the GitHub Action, and writes a report', async () => {
  const run = async (inputs: Readonly<Record<string, string>>) => {
    const { variables, before_script: before, script } = gitlabJob(inputs);
    const target = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: apiKey };
    return bash([...before, ...script].join('\n'), { ...variables, ...target });
  };
  write('gitlab/a.yaml', scenario('lab-walk', 'tags: [lab], '));
  const files = 'gitlab';
  expect(await run({ command: 'check', files })).toMatchObject({ code: 0 });
  expect(await run({ command: 'apply', files, dry_run: 'true' })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 to create.'),
  });
  expect(await run({ command: 'apply', files })).toMatchObject({
    stdout: expect.stringContaining('1 created.'),
  });
  expect(await run({ command: 'run', tag: 'lab' })).toMatchObject({ code: 0 });
  expect(read('reports/keepwatch.xml')).toContain('<testsuite');
  const slow = await run({ command: 'maintenance', tag: 'lab', script: 'exit 9' });
  expect(slow).toMatchObject({ code: 9 });
});
