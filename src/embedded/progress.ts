/**
 * Shows which long step is running, and its progress. On a terminal, one line is rewritten. Other outputs get plain
 * lines.
 */

export interface Progress {
  /** Prints a sentence on its own line. */
  readonly say: (sentence: string) => void;
  /** Shows how many bytes of a download have arrived. A total of 0 means unknown. */
  readonly track: (label: string, doneBytes: number, totalBytes: number) => void;
}

/** The part of a stream that is needed to show progress. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

const MEGABYTE = 1_000_000;
const PLAIN_STEP_PERCENT = 10;

function describe(label: string, doneBytes: number, totalBytes: number): string {
  const done = (doneBytes / MEGABYTE).toFixed(0);
  if (totalBytes === 0) return `${label}: ${done} MB`;
  const percent = Math.floor((100 * doneBytes) / totalBytes);
  return `${label}: ${percent}% (${done} of ${(totalBytes / MEGABYTE).toFixed(0)} MB)`;
}

/** Without a terminal, a download prints at most one line per 10%. */
export function createProgress(output: ProgressOutput): Progress {
  const terminal = output.isTTY === true;
  let rewriting = false;
  let lastStep = '';

  function say(sentence: string): void {
    output.write(`${rewriting ? '\r\x1b[K' : ''}${sentence}\n`);
    rewriting = false;
    lastStep = '';
  }

  function track(label: string, doneBytes: number, totalBytes: number): void {
    const line = describe(label, doneBytes, totalBytes);
    if (terminal) {
      output.write(`\r\x1b[K${line}`);
      rewriting = true;
      return;
    }
    const unit = totalBytes === 0 ? 10 * MEGABYTE : totalBytes / (100 / PLAIN_STEP_PERCENT);
    const step = `${label} ${Math.floor(doneBytes / unit)}`;
    if (step === lastStep) return;
    lastStep = step;
    output.write(`${line}\n`);
  }

  return { say, track };
}

/** Ignores all progress. */
export const silentProgress: Progress = { say: () => undefined, track: () => undefined };
