/** Pastes the commands of README's quick start into a shell, as a person does who tries Keepwatch. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runCommand } from '../../src/embedded/run-command';
import { WAIT_LIMIT_MS } from '../support/wait-until';
import { ROOT } from './read-docs';

/** Creates an account and a monitor, and reads its results. Resolves to the key of the account. */
export async function followReadme(
  url: string,
  setupToken: string,
): Promise<{ readonly apiKey: string }> {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const block = /```sh\n(# 1\. [\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const commands = block
    .replaceAll('localhost:3000', new URL(url).host)
    .replace('"setupToken":"…"', `"setupToken":"${setupToken}"`);
  const script = `set -eu -o pipefail\n${commands}\necho; echo "$KEEPWATCH_API_KEY $ID"`;
  const { code, stdout, stderr } = await runCommand('bash', ['-c', script], {
    environment: process.env,
    timeoutMs: WAIT_LIMIT_MS,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [results = '', made = ''] = stdout.trim().split('\n');
  expect(made).toMatch(/^kw_[0-9A-Za-z]{38} mon_[0-9a-z]{26}$/);
  const shape = z.object({ data: z.array(z.unknown()), nextCursor: z.string().nullable() });
  expect(shape.safeParse(JSON.parse(results)).error).toBeUndefined();
  return { apiKey: made.split(' ')[0] ?? '' };
}
