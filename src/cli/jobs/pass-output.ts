/** Passes the output of a command to our streams and to a listener as it arrives. */
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Streams } from '../output';

/** Interval of the checks for more output after the command has ended. */
const LOOK_MS = 1_000;
/** A daemon of the command may write forever, so the number of looks is limited. */
const LOOKS_MAX = 10;

/**
 * Returns a function that waits for the remaining output after the command has ended, until a second passes without
 * output. A daemon may keep the output open.
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
    // The reader of our output is gone. Closing the pipe lets the command notice that.
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
