/** The commands of README's quick start, pasted into a shell. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { runCommand } from '../../src/embedded/run-command';
import { startService, type TestService } from '../support/service';
import { ROOT } from './read-docs';

const SETUP_TOKEN = 'a-token-for-the-readme';

let service: TestService;

beforeAll(async () => {
  service = await startService({ environment: { KEEPWATCH_SETUP_TOKEN: SETUP_TOKEN } });
});
afterAll(() => service.stop());

test('they make an account, a monitor and read its results, as they stand', async () => {
  const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const block = /```sh\n(# 1\. [\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const commands = block
    .replaceAll('localhost:3000', new URL(service.url).host)
    .replace('"setupToken":"…"', `"setupToken":"${SETUP_TOKEN}"`);
  const script = `set -eu -o pipefail\n${commands}\necho; echo "$KEY $ID"`;
  const { code, stdout, stderr } = await runCommand('bash', ['-c', script], {
    environment: process.env,
    timeoutMs: 30_000,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [results = '', made = ''] = stdout.trim().split('\n');
  expect(made).toMatch(/^kw_[0-9A-Za-z]{38} mon_[0-9a-z]{26}$/);
  const shape = z.object({ data: z.array(z.unknown()), nextCursor: z.string().nullable() });
  expect(shape.safeParse(JSON.parse(results)).error).toBeUndefined();
});
