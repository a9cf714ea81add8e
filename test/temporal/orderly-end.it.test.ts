/** How the orchestrator and the probe end: on SIGTERM with their work done, on bad settings in words. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createApiClient } from '../support/api-client';
import { startCountingTarget } from '../support/counting-target';
import { startService } from '../support/service';
import { waitUntil } from '../support/wait-until';

const SLOW_ANSWER_MS = 2_000;
const STOP_WITHIN_MS = 15_000;

test('SIGTERM during checks lets them report, and ends each process with code 0 in time', async () => {
  const target = await startCountingTarget(SLOW_ANSWER_MS);
  const service = await startService({ regions: ['eu-west'] });
  try {
    const api = createApiClient(service.url, (await service.setup()).apiKey);
    const ids = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        api.createMonitor({ name, url: `${target.url}/${name}`, interval: 60 }),
      ),
    );
    await waitUntil('the checks are under way', () => target.total() === ids.length);
    for (const name of ['probe-eu-west', 'orchestrator']) {
      const child = service.processes.get(name);
      if (child === undefined) throw new Error(`${name} does not run`);
      const startedAtMs = Date.now();
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      expect([name, code]).toEqual([name, 0]);
      expect(Date.now() - startedAtMs).toBeLessThan(STOP_WITHIN_MS);
      await service.kill(name);
    }
    await service.start('orchestrator');
    for (const id of ids) {
      const [result] = await waitUntil('the result', async () => {
        const results = await api.resultsOf(id);
        return results.length > 0 && results;
      });
      expect(result?.status).toBe('up');
    }
    expect(target.total()).toBe(ids.length);
  } finally {
    await service.stop();
    await target.close();
  }
});

test('unusable settings end the process with code 2 and one sentence for each', () => {
  for (const program of ['orchestrator', 'probe']) {
    const file = join(String(process.env['KEEPWATCH_TEST_ROOT']), 'dist', 'main', `${program}.js`);
    const { status, stderr } = spawnSync(process.execPath, [file], {
      env: { PATH: process.env['PATH'], KEEPWATCH_SECRET_KEY: 'short' },
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toContain(`TEMPORAL_ADDRESS is required by ${program}`);
    expect(stderr).toContain('KEEPWATCH_SECRET_KEY each key must be');
    expect(stderr).not.toContain('    at ');
  }
});
