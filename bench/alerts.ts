// Measures from a failing answer to the message in the receiver's hands, at a webhook and at a mail
// server: with nothing else going on, and while very many monitors keep failing.
// KEEPWATCH_BENCH_FAILING sets how many; 1,000 at one check a minute each are near what two cores carry.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

const FAILING = Number(process.env['KEEPWATCH_BENCH_FAILING'] ?? 1_000);
const SAMPLES = Number(process.env['KEEPWATCH_BENCH_SAMPLES'] ?? 40);
/** More than ten failures of an account within a minute are folded into a digest. */
const PACE_MS = 7_000;
const INTERVAL_SECONDS = 60;
const PORT = 3978;
const URL_OF_API = `http://127.0.0.1:${PORT}`;

/** Name of the sample → when the target had answered, and when each receiver had the message. */
const answeredAt = new Map<string, number>();
const arrivedAt = { webhook: new Map<string, number>(), mail: new Map<string, number>() };
const broken = new Set<string>();

function note(kind: keyof typeof arrivedAt, text: string): void {
  const name = /sample-\d+-/.exec(text)?.[0];
  if (name === undefined || arrivedAt[kind].has(name)) return;
  arrivedAt[kind].set(name, performance.now());
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

function createTarget(): Server {
  return createServer(({ url = '' }, response) => {
    const name = url.slice(1);
    const isFailing = name.startsWith('failing') || broken.has(name);
    response.statusCode = isFailing ? 500 : 200;
    response.end('ok', () => {
      if (isFailing && !answeredAt.has(name)) answeredAt.set(name, performance.now());
    });
  });
}

function createReceiver(): Server {
  return createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      note('webhook', body);
      response.end();
    });
  });
}

async function startMailServer(): Promise<{ url: string; server: SMTPServer }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk) => {
        text += String(chunk);
      });
      stream.on('end', () => {
        note('mail', text);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, server };
}

function startService(folder: string, smtpUrl: string): ChildProcess {
  return spawn(process.execPath, [join(process.cwd(), 'dist', 'main', 'all-in-one.js')], {
    env: {
      ...process.env,
      PORT: String(PORT),
      KEEPWATCH_DATA_DIR: folder,
      KEEPWATCH_REGIONS: 'eu-west',
      KEEPWATCH_RATE_LIMITS: 'off',
      KEEPWATCH_ALLOWED_PRIVATE_TARGETS: '127.0.0.0/8',
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'bench@example.com',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

let apiKey = '';

async function call(path: string, body?: object): Promise<string> {
  const answer = await fetch(`${URL_OF_API}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body ?? {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return text;
}

async function whenReady(): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch(`${URL_OF_API}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(200);
  }
  throw new Error('the service was not ready within two minutes');
}

async function createMonitor(targetUrl: string, name: string, more: object): Promise<string> {
  const body = { name, url: `${targetUrl}/${name}`, retries: 0, ...more };
  const answer = await call('/v1/monitors', body);
  return /mon_[0-9a-z]{26}/.exec(answer)?.[0] ?? '';
}

/** Lets fresh monitors fail one after the other, and tells how long each message took. */
async function measure(targetUrl: string, round: string): Promise<Record<string, number[]>> {
  const names = Array.from({ length: SAMPLES }, (_, at) => `sample-${round}${at}-`);
  const rest = { interval: 604_800 };
  const ids = new Map<string, string>();
  for (const name of names) ids.set(name, await createMonitor(targetUrl, name, rest));
  await sleep(3_000);
  for (const name of names) {
    broken.add(name);
    await call(`/v1/monitors/${ids.get(name)}/run`);
    await sleep(PACE_MS);
  }
  const took = (at: ReadonlyMap<string, number>): number[] =>
    names.flatMap((name) => {
      const [from, to] = [answeredAt.get(name), at.get(name)];
      return from === undefined || to === undefined ? [] : [to - from];
    });
  return { webhook: took(arrivedAt.webhook), mail: took(arrivedAt.mail) };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

function rowsOf(what: string, measured: Record<string, number[]>) {
  return Object.entries(measured).map(([place, values]) => ({
    what,
    place,
    messages: values.length,
    p50Ms: Math.round(percentile(values, 0.5)),
    p99Ms: Math.round(percentile(values, 0.99)),
  }));
}

function table(rows: readonly ReturnType<typeof rowsOf>[number][]): string {
  return [
    `${'load'.padEnd(26)}${'place'.padEnd(10)}${'messages'.padStart(9)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}`,
    ...rows.map(
      ({ what, place, messages, p50Ms, p99Ms }) =>
        `${what.padEnd(26)}${place.padEnd(10)}${String(messages).padStart(9)}${String(p50Ms).padStart(9)}${String(p99Ms).padStart(9)}`,
    ),
  ].join('\n');
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-bench-'));
  const [target, receiver] = [createTarget(), createReceiver()];
  const [targetUrl, receiverUrl] = await Promise.all([listen(target), listen(receiver)]);
  const mail = await startMailServer();
  const service = startService(folder, mail.url);
  try {
    await whenReady();
    const setupToken = readFileSync(join(folder, 'setup-token'), 'utf8').trim();
    const owner = { email: 'bench@example.com', password: 'a-long-password-for-benches' };
    const account = await call('/v1/setup', { setupToken, accountName: 'bench', ...owner });
    apiKey = /kw_[0-9A-Za-z]{38}/.exec(account)?.[0] ?? '';
    await call('/v1/alert-channels', { name: 'hook', type: 'webhook', url: receiverUrl });
    await call('/v1/alert-channels', { name: 'mail', type: 'email', emails: ['a@example.com'] });
    const alone = await measure(targetUrl, '1');
    process.stderr.write(`Measured alone; now ${FAILING} monitors begin to fail.\n`);
    const quiet = { interval: INTERVAL_SECONDS, alerts: { channels: [] } };
    for (let at = 0; at < FAILING; at += 1) await createMonitor(targetUrl, `failing-${at}`, quiet);
    const stormy = await measure(targetUrl, '2');
    const rows = [...rowsOf('alone', alone), ...rowsOf(`with ${FAILING} failing`, stormy)];
    const asJson = process.argv.includes('--json');
    process.stdout.write(`${asJson ? JSON.stringify(rows) : table(rows)}\n`);
  } finally {
    const ended = new Promise((resolve) => service.once('exit', resolve));
    service.kill('SIGTERM');
    await ended;
    for (const server of [target, receiver]) {
      server.closeAllConnections();
      server.close();
    }
    mail.server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
