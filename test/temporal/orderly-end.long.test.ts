/**
 * Tests how the orchestrator and the probe stop. On SIGTERM, they finish or release their work. With unusable settings,
 * they print one sentence for each of these settings.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import { choosePort } from '../../src/embedded/free-port';
import { type MailSink, startMailSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { startService, type TestService } from '../support/service';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { waitUntil } from '../support/wait-until';

const PROBE = 'probe-eu-west';
/**
 * Milliseconds until the target and the mail server respond. This is long enough to send a SIGTERM before the response.
 */
const SLOW_ANSWER_MS = 2_000;
const NEVER_MS = 600_000;

let service: TestService;
let target: SwitchableTarget;
let mail: MailSink;
let api: ApiClient;

beforeAll(async () => {
  [target, mail] = await Promise.all([startSwitchableTarget(SLOW_ANSWER_MS), startMailSink()]);
  service = await startService({
    regions: ['eu-west'],
    environment: { SMTP_URL: mail.url, MAIL_FROM: 'k@example.com' },
  });
  api = createApiClient(service.url, (await service.setup()).apiKey);
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([target?.close(), mail?.close()]);
});

/** Sends SIGTERM and expects exit code 0. */
async function expectOrderlyEnd(name: string): Promise<void> {
  const child = service.processes.get(name);
  if (child === undefined) throw new Error(`${name} does not run`);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  const complaints = service
    .logOf(name)
    .split('\n')
    .filter((line) => /not close/.test(line));
  expect({ name, code, complaints }).toEqual({ name, code: 0, complaints: [] });
  await service.kill(name);
}

const watch = (name: string, more: object = {}) =>
  api.createMonitor({ name, url: `${target.url}/${name}`, interval: 3_600, retries: 0, ...more });

const firstResult = (id: string) =>
  waitUntil('the result', async () => (await api.resultsOf(id))[0]);

/** Creates a monitor whose target is unavailable, and waits until an email about it is being sent. */
async function mailAbout(name: string): Promise<void> {
  const url = `http://127.0.0.1:${await choosePort(undefined)}/`;
  const before = mail.messages.length;
  await watch(name, { url, alerts: { emails: [`${name}@example.com`] } });
  await waitUntil('an email is in flight', () => mail.messages.length > before);
}

async function countSent(): Promise<number> {
  const shape = z.object({ data: z.array(z.looseObject({ status: z.string() })) });
  const { data } = await api.call({ method: 'GET', path: '/v1/alerts' }, { status: 200, shape });
  return data.filter(({ status }) => status === 'sent').length;
}

test('after SIGTERM, each process finishes its checks and emails, and ends with code 0', async () => {
  const ids = await Promise.all(['a', 'b', 'c'].map((name) => watch(name)));
  await waitUntil('the checks are under way', () => target.total() === ids.length);
  await expectOrderlyEnd(PROBE);
  for (const id of ids) expect((await firstResult(id)).status).toBe('up');
  expect(target.total()).toBe(ids.length);

  await service.start(PROBE);
  mail.answerAfterMs = SLOW_ANSWER_MS;
  await mailAbout('soon');
  await expectOrderlyEnd('orchestrator');
  await service.start('orchestrator');
  await waitUntil('the email is recorded as sent', async () => (await countSent()) === 1);
  expect(mail.messages).toHaveLength(1);
});

test('an unconfirmed email at SIGTERM is released, and then sent again with the same id', async () => {
  const before = mail.messages.length;
  mail.answerAfterMs = NEVER_MS;
  await mailAbout('never');
  await expectOrderlyEnd('orchestrator');
  mail.answerAfterMs = 0;
  await service.start('orchestrator');
  await waitUntil('it is sent', async () => (await countSent()) === before + 1);
  const ids = mail.messages.slice(before).map(({ text }) => /^Message-ID: (.*)$/im.exec(text)?.[1]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

test('a check that outlasts the grace period of its probe is sent once and is not down', async () => {
  target.hanging.add('/slow');
  const id = await watch('slow', { timeoutMs: 55_000 });
  await waitUntil('the check is under way', () => target.countOf('/slow') === 1);
  await expectOrderlyEnd(PROBE);
  const result = await firstResult(id);
  expect(result).toMatchObject({ status: 'unknown', failure: { code: 'worker_lost' } });
  expect(target.countOf('/slow')).toBe(1);
});

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
