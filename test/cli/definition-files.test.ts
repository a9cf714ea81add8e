/** Tests definition files that people keep in git, and the errors in such files. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readDefinitions } from '../../src/cli/files/definition-files';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function read(path: string, environment: Record<string, string> = {}, input = '') {
  return readDefinitions([path], { environment, readInput: async () => input });
}

const valuesOf = (list: readonly { value: object }[]) => list.map(({ value }) => value);

it('definition files may contain several documents, lists and single objects, in YAML and JSON', async () => {
  write(
    'a.yaml',
    'monitors:\n  - key: a\n---\nkind: scenario\nkey: b\n---\n\n---\nkind: alertChannel\nkey: c\n',
  );
  write('deep/b.json', '{"maintenanceWindows": [{"key": "d"}]}');
  write('node_modules/c.yaml', 'monitors: [{key: no}]');
  write('.hidden.yaml', 'monitors: [{key: no}]');
  write('readme.md', '# no');
  const { lists } = await read(folder);
  expect(valuesOf(lists.monitors)).toEqual([{ key: 'a' }]);
  expect(valuesOf(lists.scenarios)).toEqual([{ key: 'b' }]);
  expect(valuesOf(lists.alertChannels)).toEqual([{ key: 'c' }]);
  expect(valuesOf(lists.maintenanceWindows)).toEqual([{ key: 'd' }]);
});

it('environment variables are substituted only if a document declares them', async () => {
  const file = write(
    'a.yaml',
    [
      'env: [HOST, {name: PORT, default: 80}]',
      'monitors:',
      '  - {key: a, url: "http://${HOST}:${PORT}/", body: "${OTHER} $${HOST}"}',
      '---',
      'monitors: [{key: b, url: "http://${HOST}/"}]',
    ].join('\n'),
  );
  const { lists } = await read(file, { HOST: 'x", evil: "y', OTHER: 'secret' });
  expect(valuesOf(lists.monitors)).toEqual([
    { key: 'a', url: 'http://x", evil: "y:80/', body: '${OTHER} ${HOST}' },
    { key: 'b', url: 'http://${HOST}/' },
  ]);
  await expect(read(file)).rejects.toThrow(/variables are not set: HOST/);
});

it('the list of substituted variables omits unused variables and default values', async () => {
  const file = write(
    'a.yaml',
    'env: [HOST, UNUSED, {name: PORT, default: 80}]\nmonitors: [{key: a, url: "http://${HOST}:${PORT}/${HOST}"}]',
  );
  const { environmentNames } = await read(file, { HOST: 'x', UNUSED: 'y' });
  expect(environmentNames).toEqual(['HOST']);
});

describe('a variable that looks like a secret', () => {
  const SECRETS = {
    SHOP_TOKEN: 'x',
    AWS_ACCESS_KEY_ID: 'x',
    DB_PASSWORD: 'x',
    npm_config_authkey_PWD: 'x',
    apikey: 'x',
    SMTP_URL: 'smtp://user:word@mail.example.com',
  };
  const reading = (name: string, allowedNames: readonly string[]) => {
    const file = write('a.yaml', `env: [${name}]\nmonitors: [{key: a, body: "\${${name}}"}]`);
    return readDefinitions([file], {
      environment: SECRETS,
      allowedNames,
      readInput: async () => '',
    });
  };

  it.each(Object.keys(SECRETS))(
    'a variable that looks like a secret is refused unless it is allowed by name: %s',
    async (name) => {
      await expect(reading(name, ['OTHER'])).rejects.toMatchObject({
        message: expect.stringContaining(`${name} of the environment looks like a secret`),
        hint: expect.stringContaining(`--allow-env ${name}`),
      });
      expect((await reading(name, [name])).environmentNames).toEqual([name]);
    },
  );

  it.each(['PWD', 'MONKEY', 'KEYBOARD', 'AUTHOR', 'PASSAGE'])(
    'a variable with a name like %s does not look like a secret',
    async (name) => {
      const file = write('a.yaml', `env: [${name}]\nmonitors: [{key: a, body: "\${${name}}"}]`);
      expect((await read(file, { [name]: 'x' })).environmentNames).toEqual([name]);
    },
  );

  it('a variable that looks like a secret may have a default, but KEEPWATCH_API_KEY is always refused', async () => {
    const file = write('a.yaml', 'env: [{name: TOKEN, default: x}]\nmonitors: [{key: "${TOKEN}"}]');
    expect(valuesOf((await read(file)).lists.monitors)).toEqual([{ key: 'x' }]);
    const own = write('b.yaml', 'env: [KEEPWATCH_API_KEY]\nmonitors: []');
    const source = { allowedNames: ['KEEPWATCH_API_KEY'], readInput: async () => '' };
    const environment = { KEEPWATCH_API_KEY: 'x' };
    await expect(readDefinitions([own], { ...source, environment })).rejects.toThrow('must not be');
  });
});

it('`include` accepts only files in or below the folder of the first file, and reads each file once', async () => {
  const file = write('root/a.yaml', 'include: [parts, ./parts/b.yaml]\nmonitors: [{key: a}]\n');
  write('root/parts/b.yaml', 'include: [../a.yaml]\nmonitors: [{key: b}]\n');
  write('outside.yaml', 'monitors: [{key: secret}]\n');
  expect(valuesOf((await read(file)).lists.monitors)).toEqual([{ key: 'a' }, { key: 'b' }]);
  const escaping = write('root/c.yaml', 'include: [../outside.yaml]\n');
  await expect(read(escaping)).rejects.toThrow(/is outside of/);
  symlinkSync(join(folder, 'outside.yaml'), join(folder, 'root', 'link.yaml'));
  const linked = write('root/d.yaml', 'include: [link.yaml]\n');
  await expect(read(linked)).rejects.toThrow(/is outside of/);
  await expect(read('-', {}, 'include: [a.yaml]')).rejects.toThrow(/standard input/);
});

it.each([
  ['monitors:\n  - key: a\n   name: b\n', /a\.yaml:\d+:\d+: /],
  ['monitors:\n  - a\n', /a\.yaml:2: monitors\[0\] must be an object/],
  ['- a\n', /a\.yaml:1: a document must be an object/],
  ['\nmonitor: {key: a}\n', /a\.yaml:2: monitor is not a field/],
  ['kind: pigeon\n', /kind must be one of/],
  ['monitors: {a: b}\n', /monitors must be a list/],
  ['env: [1x]\n', /env must list names/],
  ['env: [KEEPWATCH_API_KEY]\n', /KEEPWATCH_API_KEY must not be put into a definition/],
  ['set: a\n---\nset: b\n', /two sets, a and b/],
  ['a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n', /is not a field/],
])('the error in %j is reported with its file and line', async (text, message) => {
  await expect(read(write('a.yaml', text))).rejects.toThrow(message);
});

it('each object in a definition file is reported with the number of its first line', async () => {
  const { lists } = await read('-', {}, 'monitors:\n  - key: a\n\n  - key: b\n');
  expect(lists.monitors.map(({ origin }) => origin)).toEqual([
    'standard input:2',
    'standard input:4',
  ]);
});
