/**
 * Runs every command in this process against a real service, as a pipeline calls it. package.long.test.ts tests the
 * package.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { urlOfNobody } from '../support/loopback-server';
import { openSharedService, type SharedService } from '../support/shared-service';
import { writeChecklyProject } from './checkly-files';
import { type InProcessCli, openCli } from './in-process-cli';
import { copyShopExample } from './shop-example';
import { type ShopTarget, startShop } from './shop-target';

let service: SharedService;
let shop: ShopTarget;
let cli: InProcessCli;
let environment: Readonly<Record<string, string>>;
let apiKey: string;

beforeAll(async () => {
  shop = await startShop();
  service = await openSharedService();
  ({ apiKey } = await service.newAccount());
  environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: apiKey, HOME: '/nonexistent' };
  cli = openCli(environment);
  copyShopExample(join(cli.folder, 'shop'));
  const applied = await cli.run(['apply', '-f', 'shop'], withShop());
  expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('5 created.') });
});
afterAll(async () => {
  await service?.close();
  await shop?.close();
  cli?.close();
});

function withShop(more: Record<string, string> = {}) {
  return { environment: { SHOP_URL: shop.url, ...more } };
}

async function newKey(scopes: readonly string[]): Promise<string> {
  const answer = await fetch(`${service.url}/v1/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'for a test', scopes }),
  });
  const { key } = JSON.parse(await answer.text());
  return key;
}

describe('files kept in git', () => {
  it('files kept in git change nothing when they are applied again', async () => {
    const examples = join(__dirname, '..', '..', 'examples');
    const { code, value } = await cli.json(['apply', '-f', 'shop'], withShop());
    expect({ code, ...value.summary }).toMatchObject({
      code: 0,
      unchanged: 5,
      create: 0,
      update: 0,
    });
    const window = await cli.run(['apply', '-f', join(examples, 'windows', 'nightly.json')]);
    expect(window).toMatchObject({ code: 0, stdout: expect.stringContaining('1 created.') });
  });

  it('files kept in git can be exported and applied again without a change', async () => {
    const yaml = await cli.run(['export', '--file', 'all.yaml']);
    expect(yaml.code).toBe(0);
    expect(parse(readFileSync(join(cli.folder, 'all.yaml'), 'utf8')).monitors).toHaveLength(2);
    const drift = await cli.json(['apply', '-f', 'all.yaml', '--dry-run', '--fail-on-drift']);
    expect(drift).toMatchObject({
      code: 0,
      value: { dryRun: true, summary: { update: 0, create: 0 } },
    });
    const piped = await cli.run(['export', '--output', 'yaml', '--tag', 'api']);
    expect(parse(piped.stdout).monitors).toEqual([expect.objectContaining({ key: 'shop-health' })]);
  });

  it('files kept in git show drift field by field, with exit code 6', async () => {
    const text = JSON.stringify({
      monitors: [{ key: 'shop-home', name: 'Shop', url: `${shop.url}/`, interval: 45 }],
    });
    const { code, stdout } = await cli.run(['apply', '-f', '-', '--dry-run', '--fail-on-drift'], {
      input: text,
    });
    expect(code).toBe(6);
    expect(stdout).toContain('~ monitor shop-home (Shop)');
    expect(stdout).toContain('interval: 30 → 45');
  });

  it('files kept in git are not applied if one object is invalid, unless --partial is given', async () => {
    cli.write(
      'wrong.yaml',
      `monitors:\n  - {key: fine, name: Fine, url: "${shop.url}/", enabled: false}\n  - {key: wrong, name: Wrong, url: ftp://x}\n`,
    );
    const refused = await cli.run(['apply', '-f', 'wrong.yaml']);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('! monitor wrong (Wrong) at wrong.yaml:3');
    expect(refused.stdout).toContain('url must begin with http');
    expect((await cli.run(['monitors', 'get', 'fine'])).code).toBe(5);
    const partial = await cli.json(['apply', '-f', 'wrong.yaml', '--partial']);
    expect(partial).toMatchObject({ code: 1, value: { summary: { create: 1, failed: 1 } } });
    expect((await cli.run(['monitors', 'delete', 'fine', '--yes'])).code).toBe(0);
  });
});

it('apply says which new channels alert only for checks that name them', async () => {
  const channel = (key: string, more = '') =>
    `  - {key: ${key}, name: ${key}, type: webhook, url: "https://${key}.example.com/"${more}}\n`;
  cli.write(
    'channels.yaml',
    `alertChannels:\n${channel('first')}${channel('pager')}${channel('phone', ', isDefault: false')}`,
  );
  const { apiKey: key } = await service.newAccount();
  const as = { environment: { KEEPWATCH_API_KEY: key } };
  const { code, stderr } = await cli.run(['apply', '-f', 'channels.yaml'], as);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('Only checks that name them use these channels: pager.'),
  });
  const again = await cli.run(['apply', '-f', 'channels.yaml'], as);
  expect(again.stderr).not.toContain('Only checks');
});

describe('files of other tools', () => {
  it('files of other tools can be applied right after an import, and missing values are named', async () => {
    writeChecklyProject(join(cli.folder, 'checkly'));
    const imported = await cli.run(['import', 'checkly', 'checkly', '--file', 'imported.yaml']);
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('imported.yaml') });
    expect(imported.stderr).toContain(
      'checkly/checks/api.check.ts:64: url is worked out by a call',
    );
    const plan = ['apply', '-f', 'imported.yaml', '--dry-run'];
    const unset = await cli.run(plan);
    expect(unset).toMatchObject({ code: 2, stderr: expect.stringContaining('API_TOKEN') });
    const environment = {
      SLACK_WEBHOOK_URL: 'https://hooks.slack.example/services/x',
      ORDERS_URL: shop.url,
      API_TOKEN: 'a token',
    };
    const refused = await cli.run(plan, { environment });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('like a secret') });
    const allowing = [...plan, '--allow-env', 'API_TOKEN'];
    const { code, value, stderr } = await cli.json(allowing, { environment });
    expect(stderr).toContain('Environment variables used: API_TOKEN, ORDERS_URL, SLACK_WEBHOOK');
    expect(stderr).not.toContain('a token');
    expect({ code, ...value.summary }).toMatchObject({ code: 0, create: 10, failed: 0 });
    expect(value.missingSecrets).toEqual([
      'PAGERDUTY_1_ROUTING_KEY',
      'OPSGENIE_1_API_KEY',
      'CREATE_ORDER_PASSWORD',
    ]);
  });
});

describe('monitors and scenarios', () => {
  it('monitors and scenarios are listed as a table for people, and in full as JSON', async () => {
    const list = await cli.run(['monitors', 'list', '--tag', 'shop']);
    expect(list.code).toBe(0);
    expect(list.stdout).toMatch(/^STATUS +KEY +NAME/);
    expect(list.stdout).not.toContain('\u001b');
    const { value } = await cli.json(['scenarios', 'ls']);
    expect(value.data).toEqual([
      expect.objectContaining({ key: 'shop-order', steps: expect.any(Array) }),
    ]);
  });

  it('monitors and scenarios are shown, paused for a time, and resumed by key, id and name', async () => {
    const { value } = await cli.json(['monitors', 'get', 'shop-home']);
    const paused = await cli.json([
      'monitors',
      'pause',
      'shop-home',
      '--for',
      '30m',
      '--reason',
      'release',
    ]);
    expect(paused.value.data[0]).toMatchObject({ status: 'paused', pauseReason: 'release' });
    const resumed = await cli.json(['monitors', 'resume', value.id]);
    expect(resumed.value.data[0]).toMatchObject({ state: 'active' });
    const byName = await cli.run(['scenarios', 'get', 'Order journey']);
    expect(byName.stdout).toContain('name: log in');
    const unknown = await cli.run(['monitors', 'get', 'shop-homf']);
    expect(unknown).toMatchObject({ code: 5, stderr: expect.stringContaining('shop-homf') });
  });

  it('monitors and scenarios can be checked immediately, with exit code 1 if one is down', async () => {
    const up = await cli.json(['monitors', 'run', 'shop-home', '--wait', '--timeout', '60s']);
    expect(up).toMatchObject({ code: 0, value: { results: [{ status: 'up', kind: 'manual' }] } });
    shop.isBroken = true;
    const down = await cli.run(['monitors', 'run', 'shop-home', '--wait', '--timeout', '60s']);
    shop.isBroken = false;
    expect(down).toMatchObject({ code: 1, stdout: expect.stringMatching(/down +shop-home/) });
    // Each command finds the run that it requested, even if other runs start at the same moment.
    const run = ['monitors', 'run', 'shop-home', '--wait', '--timeout', '60s'];
    const beside = await Promise.all([cli.json(run), cli.json(run), cli.json(run)]);
    const ids = beside.map(({ value }) => value.results.map(({ id }: { id: string }) => id));
    expect(ids).toEqual(ids.map(() => [expect.any(String)]));
    const asked = await cli.json(['monitors', 'run', '--tag', 'shop']);
    expect(asked.value.requested).toHaveLength(2);
  });

  it('monitors and scenarios are not deleted without a confirmation', async () => {
    expect(await cli.run(['monitors', 'delete', 'shop-home'])).toMatchObject({ code: 2 });
    expect(await cli.run(['monitors', 'delete'])).toMatchObject({ code: 2 });
  });
});

describe('runs', () => {
  it('runs have the variables and the label of the command and the source of the pipeline, and write a JUnit report', async () => {
    const pipeline = {
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_SHA: 'abc123',
      GITHUB_RUN_ID: '7',
      GITHUB_SERVER_URL: 'https://github.com',
    };
    const parameters = [
      'run',
      'shop-order',
      '--wait',
      '--var',
      'item=coffee',
      '--label',
      'deploy 7',
    ];
    const { code, value, stderr } = await cli.json([...parameters, '--junit', 'out/junit.xml'], {
      environment: pipeline,
    });
    expect({ code, status: value.runs[0].status }).toEqual({ code: 0, status: 'passed' });
    expect(value.runs[0]).toMatchObject({
      scenarioKey: 'shop-order',
      label: 'deploy 7',
      source: { provider: 'github', repository: 'acme/shop', commit: 'abc123' },
    });
    expect(stderr).toContain('shop-order in eu-west: passed');
    const report = readFileSync(join(cli.folder, 'out', 'junit.xml'), 'utf8');
    expect(report).toContain('<testsuites tests="4" failures="0" errors="0" skipped="0">');
  });

  it('runs that fail end the command with exit code 1, and the report names the failed step', async () => {
    const failed = await cli.run(['run', 'shop-order', '--junit', 'bad.xml', '--var', 'item=tea']);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/^failed +shop-order in eu-west/);
    expect(failed.stdout).toMatch(/failed +read order/);
    const report = readFileSync(join(cli.folder, 'bad.xml'), 'utf8');
    expect(report).toMatch(/<testcase [^>]*name="read order"[^>]*>\s*<failure message="[^"]+/);
  });

  it('waiting for runs ends with exit code 7 and without a verdict if the timeout expires', async () => {
    const slow = {
      scenarios: [
        {
          key: 'slow',
          name: 'Slow',
          interval: 604_800,
          regions: ['eu-west'],
          steps: [{ name: 'later', url: `${shop.url}/`, waitSeconds: 3600 }],
          timeoutSeconds: 7200,
        },
      ],
    };
    await cli.run(['apply', '-f', '-'], { input: JSON.stringify(slow) });
    const { code, value } = await cli.json(['run', 'slow', '--wait', '--timeout', '1s']);
    expect({ code, count: value.runs.length }).toEqual({ code: 7, count: 1 });
    expect((await cli.run(['scenarios', 'delete', 'slow', '--yes'])).code).toBe(0);
  });

  it('runs can be started without waiting', async () => {
    const { code, value } = await cli.json(['scenarios', 'run', '--tag', 'shop']);
    expect({ code, runs: value.runs }).toEqual({
      code: 0,
      runs: [expect.objectContaining({ id: expect.stringMatching(/^run_/) })],
    });
  });
});

describe('check', () => {
  it('`check` tests definitions from files without saving them', async () => {
    cli.write(
      'new.yaml',
      `env: [SHOP_URL]\nmonitors:\n  - {key: new, name: New, url: "\${SHOP_URL}/health"}\n`,
    );
    const fine = await cli.json(['check', '-f', 'new.yaml', '--junit', 'check.xml'], withShop());
    expect(fine).toMatchObject({
      code: 0,
      value: { region: 'eu-west', results: [{ name: 'new', status: 'up' }] },
    });
    expect(existsSync(join(cli.folder, 'check.xml'))).toBe(true);
    expect((await cli.run(['monitors', 'get', 'new'])).code).toBe(5);
    const all = await cli.run(['check', '-f', 'shop', '--region', 'eu-west'], withShop());
    expect(all).toMatchObject({ code: 0, stdout: expect.stringMatching(/passed +shop-order/) });
    shop.isBroken = true;
    const broken = await cli.run(['check', '-f', 'shop', '--only', 'shop-health'], withShop());
    shop.isBroken = false;
    expect(broken).toMatchObject({ code: 1, stdout: expect.stringContaining('status 500') });
  });

  it('`check` names file, line and field of each error', async () => {
    cli.write(
      'bad.yaml',
      `monitors:\n  - {key: bad, name: Bad, url: "${shop.url}", colour: red}\n`,
    );
    const wrong = await cli.run(['check', '-f', 'bad.yaml']);
    expect(wrong.code).toBe(5);
    expect(wrong.stderr).toContain('bad.yaml:2: bad:');
    expect(wrong.stderr).toContain('colour is not a known field');
  });
});

describe('maintenance', () => {
  it('maintenance can be started and ended manually', async () => {
    const { value } = await cli.json([
      'maintenance',
      'start',
      '--minutes',
      '5',
      '--monitor',
      'shop-home',
    ]);
    expect(value).toMatchObject({ id: expect.stringMatching(/^mnt_/), state: 'active' });
    expect((await cli.json(['maintenance', 'end', value.id])).value).toMatchObject({
      state: 'over',
    });
    expect((await cli.run(['maintenance', 'start', '--minutes', '5'])).code).toBe(2);
    expect((await cli.run(['maintenance', 'list'])).stdout).toMatch(/^ID +STATE/);
  });

  it('`maintenance start` warns of a tag that no check has, and with --strict starts no maintenance', async () => {
    const start = ['maintenance', 'start', '--minutes', '5', '--tag', 'nosuch'];
    const stderr = expect.stringContaining('No check has the tag nosuch.');
    expect(await cli.run(start)).toMatchObject({ code: 0, stderr });
    expect(await cli.run([...start, '--strict'])).toMatchObject({ code: 5, stdout: '', stderr });
  });
});

describe('secrets', () => {
  it('secrets are read from standard input or the environment and never shown', async () => {
    const piped = await cli.json(['secrets', 'set', 'TOKEN'], { input: 'a value of the test\n' });
    expect(piped.value).toMatchObject({ name: 'TOKEN', version: 1 });
    const taken = await cli.json(['secrets', 'set', 'TOKEN', '--from-env', 'MY_TOKEN'], {
      environment: { MY_TOKEN: 'another value' },
    });
    expect(taken.value).toMatchObject({ version: 2 });
    expect((await cli.run(['secrets', 'list'])).stdout).toMatch(/TOKEN +0/);
    expect((await cli.run(['secrets', 'delete', 'TOKEN'])).code).toBe(0);
    expect((await cli.run(['secrets', 'set', 'TOKEN'])).code).toBe(2);
  });
});

describe('events', () => {
  it('events are printed as one JSON object per line', async () => {
    const following = cli.run([
      'events',
      '--count',
      '1',
      '--for',
      '60s',
      '--kind',
      'definition',
      '-o',
      'json',
    ]);
    await cli.run(['monitors', 'pause', 'shop-health']);
    await cli.run(['monitors', 'resume', 'shop-health']);
    const { code, stdout } = await following;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'definition', id: expect.any(String) });
  });
});

describe('status', () => {
  it('`status` prints counts, and with --exit-code exits with 0 or 1', async () => {
    const { value, code } = await cli.json(['status']);
    expect({ code, monitors: value.monitors.total, scenarios: value.scenarios.total }).toEqual({
      code: 0,
      monitors: 2,
      scenarios: 1,
    });
    const text = await cli.run(['status', '--exit-code']);
    expect([0, 1]).toContain(text.code);
    expect(text.stdout).toMatch(/^monitors +2: /);
  });
});

describe('login and refusals', () => {
  it('login stores URL and key in a file that only the user can read', async () => {
    const home = { KEEPWATCH_API_KEY: '', KEEPWATCH_URL: service.url };
    const wrong = await cli.run(['login'], { environment: home, input: 'kw_nonsense' });
    expect(wrong).toMatchObject({ code: 4, stderr: expect.stringContaining('keepwatch login') });
    const fine = await cli.json(['login', '--url', service.url], {
      environment: home,
      input: `${apiKey}\n`,
    });
    expect(fine).toMatchObject({ code: 0, value: { account: { name: 'Test account' } } });
    expect(statSync(fine.value.file).mode & 0o777).toBe(0o600);
    expect(fine.stdout).not.toContain(apiKey);
    const alone = openCli({ KEEPWATCH_CONFIG_DIR: join(cli.folder, 'login') });
    expect((await alone.json(['monitors', 'list'])).code).toBe(0);
    expect((await alone.run(['logout'])).code).toBe(0);
    expect((await alone.run(['status'])).code).toBe(2);
    alone.close();
  });

  it('with a read-only key, reads succeed, and a write fails with exit code 4', async () => {
    const environment = { KEEPWATCH_API_KEY: await newKey(['read']) };
    for (const command of [['status'], ['export'], ['monitors', 'list'], ['secrets', 'list']])
      expect((await cli.run(command, { environment })).code).toBe(0);
    const refused = await cli.run(['monitors', 'pause', 'shop-home'], { environment });
    expect(refused).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Use a key that may do this'),
    });
    const asJson = await cli.run(['apply', '-f', '-', '-o', 'json'], { environment, input: '{}' });
    expect(JSON.parse(asJson.stderr)).toMatchObject({
      error: { code: 'insufficient_scope', exitCode: 4 },
    });
  });

  it('a command exits with 3 if the service does not respond, and with 2 if the command is invalid', async () => {
    const nowhere = await cli.run(['status', '--url', await urlOfNobody()]);
    expect(nowhere).toMatchObject({ code: 3, stderr: expect.stringMatching('cannot be reached') });
    for (const wrong of [
      ['statsu'],
      ['apply'],
      ['run'],
      ['status', '--url', 'nonsense'],
      ['status', '-o', 'xml'],
    ])
      expect((await cli.run(wrong)).code).toBe(2);
    expect((await cli.run(['--version'])).code).toBe(0);
    expect((await cli.run(['monitors', '--help'])).stdout).toContain('pause');
  });
});
