/**
 * How the orchestrator and the probe end: on SIGTERM with their work done, on bad settings in words. Each
 * test has a service of its own and mostly waits for it, so that all go on at once.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import { choosePort } from '../../src/embedded/free-port';
import { startMailSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { startCountingTarget } from '../support/counting-target';
import { startService, type TestService } from '../support/service';
import { startSwitchableTarget } from '../support/switchable-target';
import { waitUntil } from '../support/wait-until';

const SLOW_ANSWER_MS = 2_000;
/** A process gives itself 25 s; the compose files wait for 30. */
const STOP_WITHIN_MS = 28_000;

test.concurrent('SIGTERM during checks lets them report, and ends each process with code 0 in time', async () => {
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

/** Sends SIGTERM and expects an end with code 0 in time. */
async function expectOrderlyEnd(service: TestService, name: string): Promise<void> {
  const child = service.processes.get(name);
  if (child === undefined) throw new Error(`${name} does not run`);
  const startedAtMs = Date.now();
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  const complaints = service
    .logOf(name)
    .split('\n')
    .filter((line) => /not close/.test(line));
  expect({ name, code, complaints }).toEqual({ name, code: 0, complaints: [] });
  expect(Date.now() - startedAtMs).toBeLessThan(STOP_WITHIN_MS);
  await service.kill(name);
}

test.concurrent('a mail in flight is finished or given back at SIGTERM: the end is orderly, and each goes out once', async () => {
  const mail = await startMailSink();
  const service = await startService({
    regions: ['eu-west'],
    environment: { SMTP_URL: mail.url, MAIL_FROM: 'k@example.com' },
  });
  const idsOf = () => mail.messages.map(({ text }) => /^Message-ID: (.*)$/im.exec(text)?.[1]);
  try {
    const api = createApiClient(service.url, (await service.setup()).apiKey);
    const closedPort = await choosePort(undefined);
    const broken = (name: string) =>
      api.createMonitor({
        name,
        url: `http://127.0.0.1:${closedPort}/`,
        interval: 3_600,
        retries: 0,
        alerts: { emails: [`${name}@example.com`] },
      });
    mail.answerAfterMs = 3_000;
    await broken('soon');
    await waitUntil('a mail is in flight', () => mail.messages.length === 1);
    await expectOrderlyEnd(service, 'orchestrator');
    mail.answerAfterMs = 0;
    await service.start('orchestrator');
    await waitUntil('it is noted as sent', async () => (await sentAlerts(api)) === 1);
    expect(mail.messages).toHaveLength(1);

    mail.answerAfterMs = 60_000;
    await broken('never');
    await waitUntil('a mail is in flight', () => mail.messages.length === 2);
    await expectOrderlyEnd(service, 'orchestrator');
    mail.answerAfterMs = 0;
    await service.start('orchestrator');
    await waitUntil('it is sent', async () => (await sentAlerts(api)) === 2);
    // The server had it whole and never said so: it comes again, under the same id.
    const [first, second, ...again] = idsOf();
    expect(first).not.toBe(second);
    expect(again).toEqual([second]);
  } finally {
    await service.stop();
    await mail.close();
  }
}, 120_000);

test.concurrent('a check that outlasts the grace time of its probe is lost with it, not down, and sent once', async () => {
  const target = await startSwitchableTarget();
  target.hanging.add('/slow');
  const service = await startService({ regions: ['eu-west'] });
  try {
    const api = createApiClient(service.url, (await service.setup()).apiKey);
    const body = { name: 'slow', url: `${target.url}/slow`, interval: 3_600, timeoutMs: 55_000 };
    const id = await api.createMonitor({ ...body, retries: 0 });
    await waitUntil('the check is under way', () => target.countOf('/slow') === 1);
    await expectOrderlyEnd(service, 'probe-eu-west');
    const [result] = await waitUntil('the result', async () => {
      const results = await api.resultsOf(id);
      return results.length > 0 && results;
    });
    expect(result).toMatchObject({ status: 'unknown', failure: { code: 'worker_lost' } });
    expect(target.countOf('/slow')).toBe(1);
  } finally {
    await service.stop();
    await target.close();
  }
}, 120_000);

async function sentAlerts(api: ApiClient): Promise<number> {
  const shape = z.object({ data: z.array(z.looseObject({ status: z.string() })) });
  const { data } = await api.call({ method: 'GET', path: '/v1/alerts' }, { status: 200, shape });
  return data.filter(({ status }) => status === 'sent').length;
}

test('unusable settings end the process with code 2 and one sentence for each', () => {
  for (const program of ['orchestrator', 'probe']) {
    const file = join(String(process.env['KEEPWATCH_TEST_ROOT']), 'dist', 'main', `${program}.js`);
    const { status, stderr } = spawnSync(process.execPath, [file], {
      env: { PATH: process.env['PATH'], TEMPORAL_ADDRESS: 'x' },
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    const key = program === 'probe' ? 'KEEPWATCH_PROBE_KEY' : 'KEEPWATCH_SECRET_KEY';
    expect(stderr).toContain(`${key} is required by ${program}`);
    expect(stderr).toContain('TEMPORAL_ADDRESS must be like');
    expect(stderr).not.toContain('    at ');
  }
});
