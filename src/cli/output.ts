/** The output of a command: text for users, JSON or YAML for machines. Notes go to stderr. */
import { stringify } from 'yaml';
import { type CliError, formatFault } from './cli-error';
import { type Paint, paintColoured, paintPlain, replaceControls } from './paint';
import { createProgressLine } from './progress-line';
import type { Environment } from './stored-login';

export const FORMATS = ['table', 'json', 'yaml'] as const;
export type Format = (typeof FORMATS)[number];

export interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

export interface Output {
  readonly format: Format;
  readonly paint: Paint;
  /** The width of the terminal in columns. null means that the output is not a terminal. */
  readonly width: number | null;
  readonly isInteractive: boolean;
  /** Shows the result: the value for machines, the text for users. */
  readonly show: (value: unknown, textOf: () => string) => void;
  /** Shows a line for users that is not part of the result. */
  readonly note: (line: string) => void;
  /** Shows a line about a likely mistake or a loss. Unlike a note, it also appears with --quiet. */
  readonly warn: (line: string) => void;
  /**
   * Shows a line of progress. On a terminal, the next line replaces this line. Elsewhere, the line is written like a
   * note.
   */
  readonly progress: (line: string, onTerminal?: string) => void;
  readonly clearProgress: () => void;
  readonly showError: (error: CliError) => void;
}

export interface OutputOptions {
  readonly format: Format;
  readonly isColourWanted: boolean;
  readonly isQuiet: boolean;
}

const LEAST_WIDTH = 40;

/** Creates the output. It uses colours only on a terminal, and only if NO_COLOR is not set (https://no-color.org). */
export function createOutput(
  { stdout, stderr }: Streams,
  environment: Environment,
  { format, isColourWanted, isQuiet }: OutputOptions,
): Output {
  const isTerminal = stdout.isTTY === true;
  const mayColour = isColourWanted && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
  const line = environment['TERM'] === 'dumb' ? null : createProgressLine(stderr);
  const clearProgress = (): void => line?.clear();
  const warn = (text: string): void => {
    clearProgress();
    stderr.write(`${replaceControls(text)}\n`);
  };
  const note = isQuiet ? clearProgress : warn;
  const paint = isTerminal && mayColour && format === 'table' ? paintColoured : paintPlain;
  return {
    format,
    paint,
    width: isTerminal ? Math.max(LEAST_WIDTH, stdout.columns ?? 80) : null,
    isInteractive: isTerminal && format === 'table',
    show(value, textOf) {
      clearProgress();
      stdout.write(`${format === 'table' ? textOf() : formatData(format, value)}\n`);
    },
    note,
    warn,
    progress(text, onTerminal = text) {
      if (line === null) note(text);
      else if (!isQuiet) line.show(replaceControls(onTerminal));
    },
    clearProgress,
    showError(error) {
      stderr.write(format === 'json' ? `${errorJson(error)}\n` : formatError(error));
    },
  };
}

export function formatData(format: 'json' | 'yaml', value: unknown): string {
  if (format === 'json') return JSON.stringify(value, null, 2);
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
}

function errorJson({ message, code, exitCode, hint, errors }: CliError): string {
  const error = { code: code ?? null, message, hint: hint ?? null, errors, exitCode };
  return JSON.stringify({ error });
}

/** Formats an error for users: the sentence, the faults of fields that the sentence does not contain, and the hint. */
export function formatError({ message, hint, errors }: CliError): string {
  const faults = errors
    .map(formatFault)
    .filter((fault) => errors.length > 1 || !message.includes(fault))
    .map((fault) => `  ${fault}`);
  // The sentence of the service names the first fault. The sentence is shortened, because a list of all faults follows.
  const sentence =
    errors.length > 1 ? message.replace(/(fields are invalid\.) First: .*/s, '$1') : message;
  const lines = [`keepwatch: ${sentence}`, ...faults, ...(hint === undefined ? [] : [hint])];
  return `${lines.map(replaceControls).join('\n')}\n`;
}
