/**
 * Tests the npm package as pipelines install it. The package is packed, installed into an empty folder without a
 * registry, and run against a real service. The tests mainly cover streams and the exit of the process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSharedService, type SharedService } from '../support/shared-service';
import { writeChecklyProject } from './checkly-files';
import { type PackedCli, packCli } from './packed-cli';
import { type ShopTarget, startShop } from './shop-target';

const UNPACKED_BYTES_MAX = 10_000_000;

let service: SharedService;
let shop: ShopTarget;
let packed: PackedCli;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  shop = await startShop();
  service = await openSharedService();
  const { apiKey } = await service.newAccount();
  environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: apiKey, HOME: '/nonexistent' };
  packed = await packCli(environment);
});
afterAll(async () => {
  packed?.close();
  await service?.close();
  await shop?.close();
});

describe('the package', () => {
  it('the package of the command line has at most 10 MB unpacked, and installs no other packages', () => {
    expect(packed.unpackedBytes).toBeLessThanOrEqual(UNPACKED_BYTES_MAX);
    const names = readdirSync(packed.modules).filter((name) => !name.startsWith('.'));
    expect(names).toEqual(['keepwatch']);
    const own = join(packed.modules, 'keepwatch');
    expect(readdirSync(join(own, 'node_modules'))).toEqual(['@oazapfts']);
    expect(readFileSync(join(own, 'dist', 'cli', 'THIRD-PARTY-LICENSES.md'), 'utf8')).toContain(
      '## undici',
    );
  });

  it('the installed command line validates files, imports files of other tools and applies the result', async () => {
    expect((await packed.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+/);
    expect(existsSync(join(packed.modules, '.bin', 'keepwatch'))).toBe(true);
    packed.write('new.yaml', `monitors:\n  - {key: new, name: New, url: "${shop.url}/health"}\n`);
    const parameters = ['-f', 'new.yaml', '--region', 'eu-west', '--junit', 'x.xml'];
    expect(await packed.run(['check', ...parameters])).toMatchObject({ code: 0 });
    writeChecklyProject(join(packed.folder, 'checkly'));
    expect((await packed.run(['import', 'checkly', 'checkly'])).code).toBe(0);
    const applied = await packed.run(['apply', '-f', 'new.yaml']);
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('1 created.') });
  });

  it('the package of the command line contains the MCP server', async () => {
    const request = (id: number, method: string, params: object) =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const client = { name: 'test', version: '1' };
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client };
    const input = `${request(1, 'initialize', hello)}\n${request(2, 'tools/list', {})}\n`;
    const { code, stdout } = await packed.run(['mcp'], { input });
    expect(code).toBe(0);
    const [greeting, list] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(greeting.result.serverInfo.name).toMatch(/keepwatch/i);
    expect(list.result.tools.length).toBeGreaterThan(5);
  });

  it('the package of the command line has the typed client, with its types', async () => {
    const program = `
      const client = require('keepwatch/client');
      console.log(typeof client.defaults.baseUrl, Object.keys(client).length);`;
    const child = spawn(process.execPath, ['-e', program], { cwd: join(packed.modules, '..') });
    let stdout = '';
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stdout).toMatch(/^string \d{2,}\n$/);
    const types = join(packed.modules, 'keepwatch', 'dist', 'client', 'index.d.ts');
    expect(readFileSync(types, 'utf8')).toContain('createMonitor');
  });

  it('`maintenance start` keeps maintenance on while its command runs, and returns the exit code of the command', async () => {
    const parameters = [
      'maintenance',
      'start',
      '--minutes',
      '30',
      '--tag',
      'shop',
      '--name',
      'deploy',
    ];
    const during = await packed.run([...parameters, '--', 'sh', '-c', 'echo working; exit 3']);
    expect(during).toMatchObject({ code: 3, stdout: 'working\n' });
    expect(during.stderr).toMatch(/Maintenance mnt_\w+ has started[\s\S]+has ended/);
    const { value } = await packed.json(['maintenance', 'list']);
    expect(value.data[0]).toMatchObject({ name: 'deploy', state: 'over' });
    const missing = await packed.run([...parameters, '--', 'no-such-program']);
    expect(missing).toMatchObject({ code: 127, stderr: expect.stringContaining('has ended') });
  });
});
