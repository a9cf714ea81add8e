/** A process whose event loop stands still ends; a busy, suspended or finished one does not. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { watchEventLoop } from '../../src/platform/watch-event-loop';

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

it('ends a process whose loop is blocked, and says why', async () => {
  const { signal, errors } = await endOf(start(500, 'blocks'));
  expect(signal).toBe('SIGKILL');
  expect(JSON.parse(errors)).toMatchObject({
    level: 60,
    role: 'test',
    msg: expect.stringContaining('stood still for 0.5 s'),
  });
});

it('leaves a process alone that works in long turns, and one that was suspended', async () => {
  const child = start(2_000, 'works');
  if (child.stdout === null) throw new Error('no output');
  await once(child.stdout, 'data');
  const ended = endOf(child);
  child.kill('SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  child.kill('SIGCONT');
  expect(await ended).toEqual({ code: 0, signal: null, errors: '' });
});

it('stops with its process in good order', async () => {
  const watch = watchEventLoop('test');
  await watch.stop();
});
