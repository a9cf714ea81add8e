/** The errors of the command line: a sentence, a hint, and an exit code. */

/** The exit codes. They are documented in docs/cli.md, and scripts depend on them. */
export const EXIT_CODES = {
  passed: 0,
  /** A check or run failed, or an object is invalid or could not be applied. */
  failed: 1,
  /** The command or an option is wrong, or a file cannot be read. Nothing was done. */
  usage: 2,
  /** The service could not be reached, or was not able to carry out the request. */
  notReached: 3,
  /** The key is missing or unknown, or may not make this request. */
  refused: 4,
  /** The service rejected the request: not found, conflict, or invalid. */
  rejected: 5,
  /** `apply --dry-run --fail-on-drift` found changes. */
  drift: 6,
  /** A run ended without a verdict, or did not end in time. */
  inconclusive: 7,
  /** The user pressed Ctrl-C at a question. Shells return this code for a program ended by SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

interface CliErrorDetails {
  /** What the user can do next. */
  readonly hint?: string;
  /** The error code of the API, if the service returned one. */
  readonly code?: string;
  /** Problems of individual fields. */
  readonly errors?: readonly FieldFault[];
  readonly cause?: unknown;
}

export interface FieldFault {
  readonly path: string;
  readonly message: string;
}

/**
 * Formats a fault as the service does in its sentences. The result is like `name is required`. If the message is itself
 * a sentence, the result is like `url: This host is blocked.`
 */
export function formatFault({ path, message }: FieldFault): string {
  const field = path === '' ? 'the body' : path;
  return /^[A-Z].*\.$/.test(message) ? `${field}: ${message}` : `${field} ${message}`;
}

/**
 * An error that ends the command with an exit code. Its sentence is shown as text. If the output is JSON, the error is
 * shown as JSON.
 */
export class CliError extends Error {
  readonly exitCode: number;
  readonly hint: string | undefined;
  readonly code: string | undefined;
  readonly errors: readonly FieldFault[];

  constructor(exitCode: number, message: string, details: CliErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.hint = details.hint;
    this.code = details.code;
    this.errors = details.errors ?? [];
  }
}

/** Creates the error for a wrong command, option or file. */
export function usageError(message: string, hint?: string): CliError {
  return new CliError(EXIT_CODES.usage, message, hint === undefined ? {} : { hint });
}

export function formatReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
