/** Tests the command line at a real terminal, against a real service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSharedService, type SharedService } from '../support/shared-service';
import { isLongForm } from '../support/test-size';
import { type InProcessCli, openCli } from './in-process-cli';
import { COLUMNS, linesOf, openTerminal } from './pty';
import { copyShopExample } from './shop-example';
import { type ShopTarget, startShop } from './shop-target';

const ESCAPE = '\u001b';
const COLOUR = new RegExp(`${ESCAPE}\\[3\\dm`);

let service: SharedService;
let shop: ShopTarget;
let cli: InProcessCli;
let environment: Record<string, string>;

beforeAll(async () => {
  shop = await startShop();
  service = await openSharedService();
  const { apiKey } = await service.newAccount();
  environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: apiKey, SHOP_URL: shop.url };
  cli = openCli(environment);
  copyShopExample(join(cli.folder, 'shop'));
});
afterAll(async () => {
  await service?.close();
  await shop?.close();
  cli?.close();
});

const at = (parameters: readonly string[], more: Record<string, string> = {}) =>
  openTerminal(cli.folder, parameters, { ...environment, ...more });
const count = async () => (await cli.json(['monitors', 'list'])).value.data.length;

it('apply shows its plan, and applies the plan only after a confirmation', async () => {
  const apply = ['apply', '-f', 'shop'];
  const refused = at(apply);
  await refused.sees(/Apply this\? \[y\/N\] /);
  expect(refused.raw()).toMatch(COLOUR);
  refused.type('n\r');
  expect(await refused.exitCode).toBe(2);
  expect(linesOf(refused.raw()).join('\n')).toContain('Nothing was applied');
  const interrupted = at(apply);
  await interrupted.sees(/Apply this\? \[y\/N\] /);
  interrupted.interrupt();
  expect(await interrupted.exitCode).toBe(130);
  expect(linesOf(interrupted.raw()).join('\n')).toContain('Interrupted; nothing was done.');
  expect(await count()).toBe(0);
  const applied = at(apply);
  await applied.sees(/Apply this\? \[y\/N\] /);
  applied.type('y\r');
  expect(await applied.exitCode).toBe(0);
  expect(linesOf(applied.raw()).at(-2)).toContain('5 created.');
  expect(linesOf(applied.raw()).join('\n')).not.toContain('Applying');
  expect(await count()).toBe(2);
});

it('tables in a terminal are coloured unless NO_COLOR or --no-color is set, and JSON and YAML are never coloured', async () => {
  const list = at(['monitors', 'list']);
  expect(await list.exitCode).toBe(0);
  expect(list.raw()).toMatch(COLOUR);
  for (const line of linesOf(list.raw())) expect(line.length).toBeLessThanOrEqual(COLUMNS);
  const help = at(['apply', '--help']);
  expect(await help.exitCode).toBe(0);
  for (const line of linesOf(help.raw())) expect(line.length).toBeLessThanOrEqual(COLUMNS);
  const plain = [
    at(['monitors', 'list'], { NO_COLOR: '1' }),
    at(['monitors', 'list', '--no-color']),
    at(['monitors', 'list', '--output', 'json']),
    at(['monitors', 'list', '--output', 'yaml']),
  ];
  for (const terminal of plain) {
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.raw()).toContain('shop-home');
    expect(terminal.raw()).not.toContain(ESCAPE);
  }
});

it('`login` asks for URL and key, and never shows the key', async () => {
  const home = { KEEPWATCH_CONFIG_DIR: join(cli.folder, 'kept'), KEEPWATCH_API_KEY: '' };
  const apiKey = environment['KEEPWATCH_API_KEY'] ?? '';
  const { KEEPWATCH_URL: url, ...others } = environment;
  const terminal = openTerminal(cli.folder, ['login'], { ...others, ...home });
  await terminal.sees(/URL of the service: /);
  terminal.type(`${url}\r`);
  await terminal.sees(/API key: /);
  terminal.type(`${apiKey}\r`);
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.raw()).toContain('Logged in to Test account');
  expect(terminal.raw()).not.toContain(apiKey.slice(0, 12));
  expect(readFileSync(join(cli.folder, 'kept', 'login.json'), 'utf8')).toContain(apiKey);
  const given = at(['login'], home);
  await given.sees(/API key: /);
  given.interrupt();
  expect(await given.exitCode).toBe(130);
});

it('the progress of a run is one rewritten line on a terminal, and one line per change in a pipe', async () => {
  const run = ['run', 'shop-order', '--wait', '--var', 'item=coffee'];
  const terminal = at(run);
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.raw()).toMatch(/\rshop-order in eu-west: \w+/);
  const [first, ...more] = linesOf(terminal.raw());
  expect(first).toMatch(/^passed +shop-order in eu-west, \d+/);
  expect(more.join('')).toBe('');
  const piped = await cli.run(run);
  expect(piped.code).toBe(0);
  expect(piped.stderr).toMatch(/^shop-order in eu-west: passed\n/m);
  for (const text of [piped.stdout, piped.stderr]) {
    expect(text).not.toContain('\r');
    expect(text).not.toContain(ESCAPE);
  }
});

if (isLongForm)
  it('Ctrl-C ends maintenance, and reaches the command that runs during it exactly once', async () => {
    const start = ['maintenance', 'start', '--minutes', '30', '--tag', 'shop', '--name'];
    const trap =
      'trap "echo heard; heard=1" INT; echo under way; until [ $heard ]; do sleep 0.1; done';
    const careful = at([...start, 'careful', '--', 'sh', '-c', `${trap}; sleep 0.3; exit 7`]);
    await careful.sees(/under way/);
    careful.interrupt();
    expect(await careful.exitCode).toBe(7);
    expect(linesOf(careful.raw()).filter((line) => line.endsWith('heard'))).toHaveLength(1);
    expect(careful.raw()).toMatch(/Maintenance mnt_\w+ has ended/);
    const plain = at([...start, 'plain', '--', 'sh', '-c', 'echo under way; exec sleep 600']);
    await plain.sees(/under way/);
    plain.interrupt();
    expect(await plain.exitCode).toBe(130);
    const { value } = await cli.json(['maintenance', 'list']);
    const states = value.data.map(({ name, state }: Record<string, string>) => [name, state]);
    expect(Object.fromEntries(states)).toEqual({ careful: 'over', plain: 'over' });
  });

if (isLongForm)
  it('the delete command asks for a confirmation before it deletes', async () => {
    const kept = at(['monitors', 'delete', 'shop-home']);
    await kept.sees(/\[y\/N\] /);
    kept.type('\r');
    expect(await kept.exitCode).toBe(2);
    expect(await count()).toBe(2);
    const gone = at(['monitors', 'delete', 'shop-home']);
    await gone.sees(/\[y\/N\] /);
    gone.type('y\r');
    expect(await gone.exitCode).toBe(0);
    expect(await count()).toBe(1);
  });
