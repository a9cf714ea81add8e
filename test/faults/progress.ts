/** Prints what a long fault is doing, as a line every ten seconds. A short fault prints nothing. */

const LINE_EVERY_MS = 10_000;
const COLUMNS_MAX = 80;

export type Note = (doing: string) => void;

export interface Progress {
  readonly note: Note;
  readonly end: () => void;
}

/** Prints until it is stopped; of several notes between two lines only the last is shown. */
export function startProgress(name: string): Progress {
  let doing = 'begins';
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += LINE_EVERY_MS / 1_000;
    process.stderr.write(`${`${name}, ${seconds} s: ${doing}`.slice(0, COLUMNS_MAX)}\n`);
  }, LINE_EVERY_MS);
  timer.unref();
  return {
    note: (now) => {
      doing = now;
    },
    end: () => clearInterval(timer),
  };
}
