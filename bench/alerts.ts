// Measures the time from a failing response to the arrival of the alert at a webhook and at a mail server. The first
// measurement runs without other load, and the second while very many monitors keep failing. KEEPWATCH_BENCH_FAILING
// sets how many fail. 1,000 monitors with one check a minute each are close to the limit of two cores.
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { listenOnLoopback } from './support/listen';
import { percentile } from './support/percentile';
import { type BenchService, startBenchService } from './support/service';

const FAILING = Number(process.env['KEEPWATCH_BENCH_FAILING'] ?? 1_000);
const SAMPLES = Number(process.env['KEEPWATCH_BENCH_SAMPLES'] ?? 40);
/** Time between two failures. More than ten failures of an account within a minute would be folded into a digest. */
const PACE_MS = 7_000;
const INTERVAL_SECONDS = 60;

/**
 * Name of the sample → when the target sent its response, and when each receiver got the message.
 */
const answeredAt = new Map<string, number>();
const arrivedAt = { webhook: new Map<string, number>(), mail: new Map<string, number>() };
const broken = new Set<string>();

function note(kind: keyof typeof arrivedAt, text: string): void {
  const name = /sample-\d+-/.exec(text)?.[0];
  if (name === undefined || arrivedAt[kind].has(name)) return;
  arrivedAt[kind].set(name, performance.now());
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

function createMailServer(): SMTPServer {
  return new SMTPServer({
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
}

/** Returns the definition of a monitor without retries, so that the first failing response causes the message. */
function definition(targetUrl: string, name: string, more: object): object {
  return { name, url: `${targetUrl}/${name}`, retries: 0, ...more };
}

/** Makes new monitors fail, one at a time. Returns how long each message took. */
async function measure(
  service: BenchService,
  targetUrl: string,
  round: string,
): Promise<Record<string, number[]>> {
  const names = Array.from({ length: SAMPLES }, (_, at) => `sample-${round}${at}-`);
  const rest = { interval: 604_800 };
  const ids = new Map<string, string>();
  for (const name of names)
    ids.set(name, await service.createMonitor(definition(targetUrl, name, rest)));
  await sleep(3_000);
  for (const name of names) {
    broken.add(name);
    await service.call(`/v1/monitors/${ids.get(name)}/run`, {});
    await sleep(PACE_MS);
  }
  const took = (at: ReadonlyMap<string, number>): number[] =>
    names.flatMap((name) => {
      const [from, to] = [answeredAt.get(name), at.get(name)];
      return from === undefined || to === undefined ? [] : [to - from];
    });
  return { webhook: took(arrivedAt.webhook), mail: took(arrivedAt.mail) };
}

function buildRows(what: string, measured: Record<string, number[]>) {
  return Object.entries(measured).map(([channel, values]) => ({
    what,
    channel,
    messages: values.length,
    p50Ms: Math.round(percentile(values, 0.5)),
    p99Ms: Math.round(percentile(values, 0.99)),
  }));
}

function table(rows: readonly ReturnType<typeof buildRows>[number][]): string {
  return [
    `${'load'.padEnd(26)}${'channel'.padEnd(10)}${'messages'.padStart(9)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}`,
    ...rows.map(
      ({ what, channel, messages, p50Ms, p99Ms }) =>
        `${what.padEnd(26)}${channel.padEnd(10)}${String(messages).padStart(9)}${String(p50Ms).padStart(9)}${String(p99Ms).padStart(9)}`,
    ),
  ].join('\n');
}

async function main(): Promise<void> {
  const [target, receiver, mail] = [createTarget(), createReceiver(), createMailServer()];
  const [targetPort, receiverPort, mailPort] = await Promise.all(
    [target, receiver, mail.server].map(listenOnLoopback),
  );
  const targetUrl = `http://127.0.0.1:${targetPort}`;
  const service = await startBenchService({
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    MAIL_FROM: 'bench@example.com',
  });
  try {
    const hook = { name: 'hook', type: 'webhook', url: `http://127.0.0.1:${receiverPort}` };
    await service.call('/v1/alert-channels', hook);
    const letters = { name: 'mail', type: 'email', emails: ['a@example.com'] };
    await service.call('/v1/alert-channels', letters);
    const alone = await measure(service, targetUrl, '1');
    process.stderr.write(`Measured alone; now ${FAILING} monitors begin to fail.\n`);
    const unalerted = { interval: INTERVAL_SECONDS, alerts: { channels: [] } };
    for (let at = 0; at < FAILING; at += 1)
      await service.createMonitor(definition(targetUrl, `failing-${at}`, unalerted));
    const underLoad = await measure(service, targetUrl, '2');
    const rows = [...buildRows('alone', alone), ...buildRows(`with ${FAILING} failing`, underLoad)];
    const asJson = process.argv.includes('--json');
    process.stdout.write(`${asJson ? JSON.stringify(rows) : table(rows)}\n`);
  } finally {
    await service.stop();
    for (const server of [target, receiver]) {
      server.closeAllConnections();
      server.close();
    }
    mail.server.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
