/**
 * Handles the output of a child process. Every line goes to its log file. Warnings and errors are also shown on the
 * terminal in plain words.
 */
import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';

export interface ChildLog {
  /** Logs every line of one of the child's output streams. */
  readonly follow: (stream: Readable) => void;
  /** The last lines, oldest first, for the report of a crash. */
  readonly lastLines: () => readonly string[];
  readonly close: () => void;
}

export interface ChildLogOptions {
  readonly folder: string;
  readonly name: string;
  /** Called with warnings and errors in plain words. If absent, they are not shown. */
  readonly show?: (sentence: string) => void;
}

const ROTATE_ABOVE_BYTES = 10 * 1024 * 1024;
const LAST_LINES = 12;
const LINE_SHOWN_MAX = 400;
const SAME_SENTENCE_EVERY_MS = 60_000;
const WARN = 40;
const ERROR = 50;

const lineShape = z.object({
  level: z.number(),
  msg: z.string().default('(no message)'),
  err: z.object({ message: z.string() }).optional(),
});

/** Describes a log line in words. undefined means that it is neither a warning nor an error. */
export function describeLogLine(name: string, line: string): string | undefined {
  let entry: z.output<typeof lineShape>;
  try {
    entry = lineShape.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
  if (entry.level < WARN) return undefined;
  const kind = entry.level >= ERROR ? 'error' : 'warning';
  const cause = entry.err === undefined ? '' : ` (${entry.err.message.split('\n')[0]})`;
  return `${name}: ${kind}: ${entry.msg}${cause}`.slice(0, LINE_SHOWN_MAX);
}

function rotate(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > ROTATE_ABOVE_BYTES) renameSync(file, `${file}.1`);
}

/** Opens the log of one child. Keeps one rotated file. */
export function openChildLog({ folder, name, show }: ChildLogOptions): ChildLog {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.log`);
  rotate(file);
  const output = createWriteStream(file, { flags: 'a' });
  // A full disk must not stop the service. Lines that cannot be written are lost, but the child keeps running.
  output.on('error', () => undefined);
  const last: string[] = [];
  const shownAt = new Map<string, number>();

  function showOnce(sentence: string): void {
    const now = Date.now();
    if (now - (shownAt.get(sentence) ?? Number.NEGATIVE_INFINITY) < SAME_SENTENCE_EVERY_MS) return;
    if (shownAt.size > 100) shownAt.clear();
    shownAt.set(sentence, now);
    show?.(sentence);
  }

  function take(line: string): void {
    output.write(`${line}\n`);
    last.push(line);
    if (last.length > LAST_LINES) last.shift();
    const sentence = show === undefined ? undefined : describeLogLine(name, line);
    if (sentence !== undefined) showOnce(sentence);
  }

  return {
    follow: (stream) => {
      createInterface({ input: stream }).on('line', take);
    },
    lastLines: () => last.map((line) => line.slice(0, LINE_SHOWN_MAX)),
    close: () => output.end(),
  };
}
