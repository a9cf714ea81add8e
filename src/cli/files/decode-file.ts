/**
 * Decodes a file in UTF-8, or in UTF-16 with a byte order mark. For other bytes, throws an error that names the line.
 */
import { isUtf8 } from 'node:buffer';
import { findMark } from '../../domain/text/decode-text';
import { usageError } from '../cli-error';

const LF = 0x0a;

/** Returns the number of the line with the first byte that is not valid UTF-8. */
function findBadLine(bytes: Buffer): number {
  let line = 1;
  let from = 0;
  for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, from)) {
    if (!isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
    line += 1;
  }
  return line;
}

/**
 * Returns the text of a file. Throws a usage error for any charset other than UTF-8 and UTF-16. `shown` is the name of
 * the file in the error.
 */
export function decodeFile(bytes: Buffer, shown: string): string {
  const mark = findMark(bytes);
  if (mark === 'utf-16le' || mark === 'utf-16be') return new TextDecoder(mark).decode(bytes);
  const hint = 'Save it as UTF-8, as with iconv -t UTF-8.';
  if (bytes.includes(0)) throw usageError(`${shown} is not UTF-8 text.`, hint);
  if (!isUtf8(bytes)) throw usageError(`${shown}:${findBadLine(bytes)}: this is not UTF-8.`, hint);
  return new TextDecoder().decode(bytes);
}
