/** Reads the files of other tools, and explains to users what is wrong with a file. */
import { z } from 'zod';
import { readInput } from '../ask';
import { CliError, EXIT_CODES, type FieldFault, formatReason, usageError } from '../cli-error';
import type { Session } from '../session';
import { decodeFile } from './decode-file';
import { readBytes } from './file-access';

/** Reads the file, or standard input for `-`. */
export async function readText(session: Session, file: string): Promise<string> {
  if (file === '-') return readInput(session);
  return decodeFile(readBytes(file), file);
}

/** Returns the result of the conversion. If it fails, throws a usage error that says what is wrong with the file. */
export function convertFile<Result>(
  { tool, file }: { readonly tool: string; readonly file: string },
  convert: () => Result,
): Result {
  try {
    return convert();
  } catch (error) {
    if (error instanceof z.ZodError) {
      if (tool !== 'gatus' && error.issues.some(isText)) throw usageError(`${file} is not JSON.`);
      const message = `${file} is not a file of ${tool}.`;
      throw new CliError(EXIT_CODES.usage, message, { errors: error.issues.map(toFault) });
    }
    const reason = formatReason(error).split('\n')[0] ?? '';
    throw usageError(`${file} is not a file of ${tool}: ${reason}`);
  }
}

/** True if the whole file is a single text. YAML accepts any line as a text. */
function isText({ path, message }: z.core.$ZodIssue): boolean {
  return path.length === 0 && message.endsWith('received string');
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
};

/** Formats a fault like `monitorList[2].name must be a text`. */
function toFault({ path, message }: z.core.$ZodIssue): FieldFault {
  const shown = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  return { path: shown.join('').replace(/^\./, ''), message: plainly(message) };
}

function plainly(message: string): string {
  const [, expected = '', received] = /expected (\w+), received (\w+)/.exec(message) ?? [];
  if (received === 'undefined') return 'is missing';
  const words = TYPE_WORDS[expected];
  return words === undefined ? `(${message})` : `must be ${words}`;
}
