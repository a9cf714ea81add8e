/** Tests the receivers in docs/webhooks.md. They run unchanged against the real sender. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { transformSync } from '@swc/core';
import { createPost } from '../../src/checks/post';
import { ALERT_KINDS, type AlertKind } from '../../src/contracts/alerting/alert-kinds';
import type { AlertMessage } from '../../src/contracts/alerts';
import { claimPort } from '../../src/embedded/free-port';
import { callForeignProgram } from '../../src/embedded/own-program';
import { runCommand } from '../../src/embedded/run-command';
import { signBody } from '../../src/notify/channels/webhook';
import { createSender } from '../../src/notify/sender';
import { systemClock as clock } from '../../src/platform/clock';
import { createTextPool } from '../../src/text/text-pool';
import { buildAlert } from '../support/alert-message';
import { noteStart } from '../support/note-start';
import { isLongForm } from '../support/test-size';
import { WAIT_LIMIT_MS, waitUntil } from '../support/wait-until';
import { ROOT } from './read-docs';

const SECRET = 'the signing secret of a channel';
const PAGE = readFileSync(path.join(ROOT, 'docs/webhooks.md'), 'utf8');

const alert: AlertMessage = buildAlert({
  id: 'alr_1',
  resourceName: 'Shop ü "quoted" </script>',
  atMs: 1_767_614_700_000,
  sinceMs: 1_767_614_400_000,
  openedAtMs: 1_767_614_400_000,
  cause: { code: 'assertion_failed', message: 'Expected status 2xx, got 503.' },
  regions: ['eu-west'],
  assertion: { text: 'status equals', expected: '2xx', actual: '503' },
});

interface Receiver {
  readonly url: string;
  readonly printed: () => string;
}

const LANGUAGES = [
  { fence: 'ts', file: 'receiver.mjs', program: process.execPath },
  { fence: 'python', file: 'receiver.py', program: 'python3' },
  { fence: 'go', file: 'receiver.go', program: 'go' },
] as const;

type Language = (typeof LANGUAGES)[number];

const folder = mkdtempSync(path.join(tmpdir(), 'keepwatch-webhooks-'));
const started: ChildProcess[] = [];

afterAll(() => {
  for (const child of started) endGroup(child);
  rmSync(folder, { recursive: true, force: true });
});

/** Kills the runner and its child, the receiver. They are one process group. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process group has already exited.
  }
}

function exampleOf(fence: string): string {
  const found = new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1];
  if (found === undefined) throw new Error(`docs/webhooks.md has no example in ${fence}`);
  return found;
}

/** Builds the receiver, because a signal that ends `go run` would leave the receiver running. */
async function buildGo(source: string): Promise<string> {
  const built = source.replace(/\.go$/, '');
  const { code, stderr } = await runCommand('go', ['build', '-o', built, source], {
    environment: process.env,
    timeoutMs: WAIT_LIMIT_MS,
  });
  if (code !== 0) throw new Error(stderr);
  return built;
}

async function start({ fence, file, program }: Language): Promise<Receiver> {
  const text = exampleOf(fence);
  const code =
    fence === 'ts'
      ? transformSync(text, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }).code
      : text;
  const source = path.join(folder, file);
  writeFileSync(source, code);
  const [receiver, ...args] = fence === 'go' ? [await buildGo(source)] : [program, source];
  const port = await claimPort(0);
  const call = callForeignProgram(receiver, args);
  noteStart('process');
  const child = spawn(call.command, call.args, {
    env: { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port) },
    detached: true,
    // The channel `ipc` ends the receiver when jest ends, even if jest is killed.
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  started.push(child);
  let printed = '';
  child.stdout?.on('data', (chunk) => {
    printed += String(chunk);
  });
  await waitUntil(`${file} listens`, () => isListening(Number(port)));
  return { url: `http://127.0.0.1:${port}/`, printed: () => printed };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

const post = createPost({ allowedPrivateTargets: ['127.0.0.0/8'] }, 'Keepwatch');

const noMail = async () => ({ kind: 'refused', detail: 'no mail here' }) as const;

const { run: runTextJob, close: closeTexts } = createTextPool();
afterAll(closeTexts);

function sendAlert(url: string, id: string, kind: AlertKind) {
  const send = createSender({
    post,
    mail: noMail,
    publicUrl: 'https://keepwatch.example',
    clock,
    runTextJob,
    sealer: { seal: () => 'sealed' },
  });
  const address = { type: 'webhook', config: { url }, signingSecret: SECRET };
  return send({ id, alert: { ...alert, id, kind }, address, template: null, secrets: [] });
}

async function statusOf(url: string, headers: Record<string, string>, body: string) {
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

function signed(secret: string, agoSeconds: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000) - agoSeconds);
  return {
    'Keepwatch-Timestamp': timestamp,
    'Keepwatch-Signature': signBody(secret, timestamp, body),
  };
}

/** CI leaves out the receiver in Go, because without a cache its build takes 20 CPU seconds. */
const TAKEN = LANGUAGES.filter(({ program }) => isLongForm || program !== 'go');

const isHere = ({ program }: Language): boolean =>
  spawnSync(program, [program === 'go' ? 'version' : '--version']).status === 0;

describe.each(TAKEN.filter(isHere))('the receiver in $fence', (language) => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await start(language);
  });

  it('each documented receiver accepts every kind of alert, and handles a repeated alert only once', async () => {
    for (const kind of ALERT_KINDS) {
      const id = `alr_${kind}`;
      expect(await sendAlert(receiver.url, id, kind)).toMatchObject({ kind: 'sent' });
      expect(await sendAlert(receiver.url, id, kind)).toMatchObject({ kind: 'sent' });
    }
    await waitUntil(
      'each was printed',
      () => receiver.printed().split('\n').length > ALERT_KINDS.length,
    );
    const lines = receiver.printed().trim().split('\n');
    expect(lines.map((line) => line.split(':')[0])).toEqual(
      ALERT_KINDS.map((kind) => `alert.${kind}`),
    );
    expect(lines[0]).toContain('Down: Shop ü "quoted" </script>');
  });

  it('each documented receiver refuses alerts that are altered, signed with another secret, too old, or unsigned', async () => {
    const body = JSON.stringify({ id: 'x', type: 'alert.failure', headline: 'forged' });
    const good = signed(SECRET, 0, body);
    expect(await statusOf(receiver.url, good, `${body} `)).toBe(401);
    expect(await statusOf(receiver.url, signed('other', 0, body), body)).toBe(401);
    expect(await statusOf(receiver.url, signed(SECRET, 301, body), body)).toBe(401);
    expect(await statusOf(receiver.url, signed(SECRET, -310, body), body)).toBe(401);
    expect(await statusOf(receiver.url, {}, body)).toBe(401);
    const nonsense = { ...good, 'Keepwatch-Timestamp': 'NaN' };
    expect(await statusOf(receiver.url, nonsense, body)).toBe(401);
    expect(receiver.printed()).not.toContain('forged');
    expect(await statusOf(receiver.url, good, body)).toBe(204);
  });
});

test('docs/webhooks.md names exactly the kinds of events that exist', () => {
  const named = [...PAGE.matchAll(/^\| `alert\.(\w+)`/gm)].map(([, kind]) => kind);
  // `event` is added here, because another section documents it.
  expect(new Set([...named, 'event'])).toEqual(new Set(ALERT_KINDS));
});
