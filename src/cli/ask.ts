/** Asks users at a terminal, and reads standard input. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CliError, EXIT_CODES, usageError } from './cli-error';
import { decodeFile } from './files/decode-file';
import type { Session } from './session';

const INPUT_BYTES_MAX = 4 * 1024 * 1024;

type Streams = Pick<Session, 'stdin' | 'stderr'>;

/** Reads one line. Returns an empty string at the end of the input. Throws on Ctrl-C. */
export async function ask({ stdin, stderr }: Streams, question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr, terminal: stdin.isTTY === true });
  try {
    return await readLine(lines, question);
  } catch (error) {
    stderr.write('\n');
    throw error;
  } finally {
    lines.close();
  }
}

/** Asks a question like `ask`, but hides the input. */
export async function askHidden({ stdin, stderr }: Streams, question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY === true });
  // From here on, the terminal does not echo the input, and Ctrl-C arrives as input.
  stderr.write(question);
  try {
    return await readLine(lines, '');
  } finally {
    lines.close();
    stderr.write('\n');
  }
}

function readLine(lines: ReturnType<typeof createInterface>, question: string): Promise<string> {
  const line = new Promise<string>((resolve, reject) => {
    lines.once('line', (line) => resolve(line.trim()));
    lines.once('close', () => resolve(''));
    lines.once('SIGINT', () =>
      reject(new CliError(EXIT_CODES.interrupted, 'Interrupted; nothing was done.')),
    );
  });
  lines.setPrompt(question);
  lines.prompt();
  return line;
}

/** Returns the text of standard input. Throws a usage error if it is larger than 4 MiB. */
export async function readInput({ stdin }: Pick<Session, 'stdin'>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > INPUT_BYTES_MAX) throw usageError('Standard input is larger than 4 MiB.');
    chunks.push(part);
  }
  return decodeFile(Buffer.concat(chunks), 'Standard input');
}

/**
 * Asks the user at a terminal to confirm. Throws if the user does not confirm, or if there is no terminal. `refusal` is
 * the message if the user does not confirm.
 */
export async function confirm(
  session: Session,
  question: string,
  refusal = 'Nothing was deleted.',
): Promise<void> {
  if (!session.output.isInteractive || session.stdin.isTTY !== true)
    throw usageError('Confirmation needs a terminal.', 'Use --yes to confirm.');
  if (!(await ask(session, `${question} [y/N] `)).toLowerCase().startsWith('y'))
    throw usageError(refusal);
}
