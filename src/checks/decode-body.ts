/**
 * Decodes content encodings: at most two layers, and at most `DECODED_BYTES_MAX` bytes of output. These limits protect
 * against decompression bombs.
 */
import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
} from 'node:zlib';
import { createBodyCollector } from './collect-body';
import { StepFailure } from './step-failure';

/** The maximum decoded size of a body. The rest is cut off. */
export const DECODED_BYTES_MAX = 1024 * 1024;
const LAYERS_MAX = 2;
const PIECE_BYTES = 64 * 1024;

export interface ReadBody {
  readonly bytes: Buffer;
  /** True if the body was longer than the decoded part. */
  readonly isCut: boolean;
}

type CreateDecoder = (body: ReadBody) => Transform;

/** Returns options for zlib. If the body was cut off, zlib decodes it up to the cut instead of failing. */
function zlibOptions({ isCut }: ReadBody) {
  const finishFlush = isCut ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
  return { chunkSize: PIECE_BYTES, finishFlush };
}

const createUngzip: CreateDecoder = (body) => createGunzip(zlibOptions(body));

/** Creates a decoder for deflate. Some servers send deflate without the required zlib frame. */
const createUndeflate: CreateDecoder = (body) => {
  const hasFrame = ((body.bytes[0] ?? 0) & 0x0f) === 8;
  return hasFrame ? createInflate(zlibOptions(body)) : createInflateRaw(zlibOptions(body));
};

const createUnbrotli: CreateDecoder = ({ isCut }) =>
  createBrotliDecompress({
    chunkSize: PIECE_BYTES,
    finishFlush: isCut ? constants.BROTLI_OPERATION_FLUSH : constants.BROTLI_OPERATION_FINISH,
  });

const DECODERS: ReadonlyMap<string, CreateDecoder> = new Map([
  ['gzip', createUngzip],
  ['x-gzip', createUngzip],
  ['deflate', createUndeflate],
  ['br', createUnbrotli],
]);

function undo(body: ReadBody, name: string, createDecoder: CreateDecoder): Promise<ReadBody> {
  return new Promise((resolve, reject) => {
    const decoder = createDecoder(body);
    const decoded = createBodyCollector(DECODED_BYTES_MAX);
    const end = (isCut: boolean): void => {
      decoder.destroy();
      resolve({ bytes: decoded.bytes(), isCut });
    };
    decoder.on('data', (piece: Buffer) => {
      if (!decoded.add(piece)) end(true);
    });
    decoder.once('end', () => end(body.isCut));
    // This listener is never removed, because an error may come while the decoder is being
    // destroyed.
    decoder.on('error', () => {
      const message = `The body is not valid ${name}, as its content-encoding header states.`;
      reject(new StepFailure('invalid_response', message, 'download'));
    });
    decoder.end(body.bytes);
  });
}

/**
 * Decodes the body, starting with the encoding that was applied last. Leaves unknown encodings as they are, as browsers
 * do.
 */
export async function decodeBody(body: ReadBody, encodings: readonly string[]): Promise<ReadBody> {
  const names = encodings.filter((name) => DECODERS.has(name)).reverse();
  if (names.length > LAYERS_MAX) {
    const message = 'The body is encoded more than twice.';
    throw new StepFailure('invalid_response', message, 'download');
  }
  let decoded = body;
  for (const name of names) {
    const createDecoder = DECODERS.get(name);
    if (createDecoder !== undefined && decoded.bytes.length > 0)
      decoded = await undo(decoded, name, createDecoder);
  }
  const bytes = decoded.bytes.subarray(0, DECODED_BYTES_MAX);
  return { bytes, isCut: decoded.isCut || bytes.length < decoded.bytes.length };
}
