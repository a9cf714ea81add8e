/** Tests that a process whose event loop is blocked is ended. A busy, suspended or finished process is not ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChildLog } from '../../src/embedded/child-log';
import { superviseProcess } from '../../src/embedded/supervised-process';
import { watchEventLoop } from '../../src/platform/watch-event-loop';
import { waitUntil } from '../support/wait-until';

const PROGRAM = join(__dirname, '..', 'support', 'blocked-loop.cjs');

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly errors: string;
}

function start(stillMs: number, does: 'blocks' | 'works'): ChildProcess {
  return spawn(process.execPath, [PROGRAM, String(stillMs), does], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function endOf(child: ChildProcess): Promise<Ended> {
  const pieces: string[] = [];
  child.stderr?.on('data', (piece: Buffer) => pieces.push(piece.toString()));
  await once(child, 'close');
  return { code: child.exitCode, signal: child.signalCode, errors: pieces.join('') };
}

it('a process with a blocked event loop is ended, and the log names the blocking work', async () => {
  const startedAtMs = Date.now();
  const { signal, errors } = await endOf(start(500, 'blocks'));
  expect(signal).toBe('SIGKILL');
  // The log contains the time of the end, which is at least half a second after the start of the process.
  expect(JSON.parse(errors).time).toBeGreaterThanOrEqual(startedAtMs + 500);
  expect(JSON.parse(errors)).toMatchObject({
    level: 60,
    role: 'test',
    event: 'event_loop_still',
    running: 'POST /v1/apply, GET /v1/monitors',
    msg: expect.stringContaining('blocked for 0.5 s'),
  });
});

it('a blocked process is ended even if its log is no longer read', async () => {
  const child = start(500, 'blocks');
  child.stderr?.destroy();
  await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
});

it('a process is not ended after long turns of its event loop, or after a suspension', async () => {
  const child = start(1_000, 'works');
  if (child.stdout === null) throw new Error('no output');
  await once(child.stdout, 'data');
  const ended = endOf(child);
  child.kill('SIGSTOP');
  // Starts another process with a blocked loop and waits for its end. In the meantime, the suspended process stays
  // suspended for longer than the limit.
  expect(await endOf(start(1_500, 'blocks'))).toMatchObject({ signal: 'SIGKILL' });
  child.kill('SIGCONT');
  expect(await ended).toEqual({ code: 0, signal: null, errors: '' });
});

it('a supervised process with a blocked event loop is restarted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-'));
  const pids: number[] = [];
  const news: string[] = [];
  const child = superviseProcess(
    {
      name: 'blocked',
      stage: 'probe',
      command: process.execPath,
      args: [PROGRAM, '500', 'blocks'],
      environment: process.env,
      isReady: async (lines) => lines.some((line) => line.includes('watching')),
    },
    openChildLog({ folder, name: 'blocked' }),
    { onStarted: (_, pid) => pids.push(pid), onEvent: (sentence) => news.push(sentence) },
  );
  await child.ready;
  await waitUntil('the second end', () => news.length >= 2);
  await child.stop(1_000);
  rmSync(folder, { recursive: true });
  expect(pids.length).toBeGreaterThanOrEqual(2);
  for (const [index, sentence] of news.slice(0, 2).entries()) {
    expect(sentence).toMatch(/ended by SIGKILL.*blocked for 0.5 s.*started again/s);
    expect(sentence).toContain(`blocked in: POST /v1/apply (${index + 1} since the start`);
  }
});

it('the watch of the event loop stops when its process exits normally', async () => {
  const watch = watchEventLoop('test');
  await watch.stop();
});
