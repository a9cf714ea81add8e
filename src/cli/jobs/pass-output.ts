/** Passes the output of a command to our streams and to a listener as it arrives. */
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Streams } from '../output';

/** How often `passOutput` checks for more output after the command has ended. */
const LOOK_MS = 1_000;
/** Maximum number of these checks. A limit is needed because a daemon that the command started may write forever. */
const LOOKS_MAX = 10;

/**
 * Passes the output on. Returns a function to call after the command has ended. The function waits for the remaining
 * output until a second passes without output. It does not wait for the end of the stream, because a daemon may keep
 * the stream open.
 */
export function passOutput(
  child: ChildProcess,
  { stdout, stderr }: Streams,
  onOutput: (chunk: Buffer) => void,
): () => Promise<void> {
  const pairs = [
    { from: child.stdout, to: stdout },
    { from: child.stderr, to: stderr },
  ].flatMap(({ from, to }) => (from === null ? [] : [{ from, to }]));
  let hasOutput = false;
  for (const { from, to } of pairs) {
    // The program that reads our output has closed it. Closing the pipe lets the command notice that.
    to.on('error', () => from.destroy());
    from.on('error', () => undefined);
    from.on('data', (chunk: Buffer) => {
      hasOutput = true;
      onOutput(chunk);
    });
    from.pipe(to, { end: false });
  }
  const isBusy = (): boolean => {
    const wasBusy = hasOutput || pairs.some(({ to }) => to.writableNeedDrain);
    hasOutput = false;
    return wasBusy;
  };
  return () =>
    drain(
      pairs.map(({ from }) => from),
      isBusy,
    );
}

async function drain(sources: readonly Readable[], isBusy: () => boolean): Promise<void> {
  let looks = 0;
  const timer = setInterval(() => {
    looks += 1;
    if (isBusy() && looks < LOOKS_MAX) return;
    for (const source of sources) source.destroy();
  }, LOOK_MS);
  await Promise.allSettled(sources.map((source) => finished(source)));
  clearInterval(timer);
}
