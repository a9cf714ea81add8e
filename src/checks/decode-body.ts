/**
 * Undoes content encodings within bounds: two layers at most, never more than the cap of decoded
 * bytes, whatever a bomb would grow to.
 */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { errorCodeOf, StepFailure } from './step-failure';

export const DECODED_BYTES_MAX = 1024 * 1024;
const LAYERS_MAX = 2;

/** The failure of a body that is larger than the cap. */
export function tooLarge(): StepFailure {
  const message = 'The body is larger than 1 MiB.';
  return new StepFailure('body_too_large', message, 'download');
}

type Decompress = (body: Buffer, options: ZlibOptions) => Promise<Buffer>;

const ungzip: Decompress = promisify(gunzip);
const unbrotli: Decompress = promisify(brotliDecompress);
const unzlib: Decompress = promisify(inflate);
const unraw: Decompress = promisify(inflateRaw);

/** Some servers send deflate without the zlib frame that the standard asks for. */
function undeflate(body: Buffer, options: ZlibOptions): Promise<Buffer> {
  const hasFrame = ((body[0] ?? 0) & 0x0f) === 8;
  return hasFrame ? unzlib(body, options) : unraw(body, options);
}

const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map([
  ['gzip', ungzip],
  ['x-gzip', ungzip],
  ['deflate', undeflate],
  ['br', unbrotli],
]);

async function undo(body: Buffer, name: string, decompress: Decompress): Promise<Buffer> {
  try {
    return await decompress(body, { maxOutputLength: DECODED_BYTES_MAX });
  } catch (error) {
    if (errorCodeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    const message = `The body is not valid ${name}, as its content-encoding header states.`;
    throw new StepFailure('invalid_response', message, 'download');
  }
}

/**
 * The body with the encodings of the Content-Encoding header undone, last one first. An encoding
 * that was not asked for and is not known is left in place, as browsers do.
 */
export async function decodeBody(body: Buffer, contentEncoding: string): Promise<Buffer> {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => DECOMPRESS.has(name))
    .reverse();
  if (names.length > LAYERS_MAX) {
    const message = 'The body is encoded more than twice.';
    throw new StepFailure('invalid_response', message, 'download');
  }
  let decoded = body;
  for (const name of names) {
    const decompress = DECOMPRESS.get(name);
    if (decompress !== undefined && decoded.length > 0)
      decoded = await undo(decoded, name, decompress);
  }
  if (decoded.length > DECODED_BYTES_MAX) throw tooLarge();
  return decoded;
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** The text of a body in the charset that its header names; UTF-8 without one or with an unknown one. */
export function textOfBody(body: Buffer, contentType: string): string {
  const charset = CHARSET.exec(contentType)?.[1] ?? 'utf-8';
  if (/^utf-?8$/i.test(charset)) return new TextDecoder().decode(body);
  try {
    return new TextDecoder(charset).decode(body);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder().decode(body);
    throw error;
  }
}
