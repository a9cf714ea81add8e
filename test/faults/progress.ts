/** Prints a line every ten seconds about the current work of a long fault. A short fault prints nothing. */

const LINE_EVERY_MS = 10_000;
const COLUMNS_MAX = 80;

export type Note = (doing: string) => void;

export interface Progress {
  readonly note: Note;
  readonly end: () => void;
}

/** Prints progress lines until `end` is called. Each line shows only the last note since the previous line. */
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
