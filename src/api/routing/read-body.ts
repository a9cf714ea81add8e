/**
 * Reads the body of a request as JSON or as a form. The body must be uncompressed UTF-8 of at most 256 KiB (unless the
 * route allows more), nested at most 32 levels deep. Does not validate the schema.
 */
import { type Request, type Response, raw } from 'express';
import { AppError } from '../../platform/errors';

export const BODY_BYTES_MAX = 256 * 1024;
const DEPTH_MAX = 32;

const readersByLimit = new Map<number, ReturnType<typeof raw>>();

function getReader(limit: number): ReturnType<typeof raw> {
  const reader = readersByLimit.get(limit) ?? raw({ type: () => true, limit, inflate: false });
  readersByLimit.set(limit, reader);
  return reader;
}

/** How a route accepts its body. */
export interface BodyRule {
  readonly mediaTypes: readonly string[];
  /** True means that a request without a body counts as `{}`. */
  readonly isOptional: boolean;
  readonly bytesMax?: number | undefined;
  /** True means that the body is a form, whose fields become texts. If a field is repeated, its last value counts. */
  readonly isForm?: boolean;
}

/** Returns the parsed JSON, or the fields of a form. Throws `unsupported_media_type`, `payload_too_large` or `invalid_json`. */
export async function readJsonBody(
  request: Request,
  response: Response,
  rule: BodyRule,
): Promise<unknown> {
  const isEmpty = !hasBody(request);
  if (isEmpty && rule.isOptional) return {};
  const bytes = await readBinaryBody(request, response, rule);
  if (rule.isForm === true) return Object.fromEntries(new URLSearchParams(decodeUtf8(bytes)));
  return parseJson(bytes, rule);
}

/** Returns the raw bytes. Throws `unsupported_media_type` or `payload_too_large`. */
export async function readBinaryBody(
  request: Request,
  response: Response,
  rule: BodyRule,
): Promise<Buffer> {
  if (!rule.mediaTypes.includes(readMediaType(request))) {
    throw new AppError(
      'unsupported_media_type',
      `Send the body with Content-Type: ${rule.mediaTypes.join(' or ')}.`,
    );
  }
  return hasBody(request) ? readBytes(request, response, rule) : Buffer.alloc(0);
}

function hasBody(request: Request): boolean {
  const length = request.headers['content-length'];
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return length !== undefined && length !== '0';
}

function readMediaType(request: Request): string {
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';');
  return mediaType.trim().toLowerCase();
}

function readBytes(
  request: Request,
  response: Response,
  { bytesMax = BODY_BYTES_MAX }: BodyRule,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    getReader(bytesMax)(request, response, (error?: unknown) => {
      const body: unknown = request.body;
      if (error !== undefined) reject(error);
      else resolve(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    });
  });
}

function parseJson(bytes: Buffer, rule: BodyRule): unknown {
  const text = decodeUtf8(bytes);
  if (text === '' && rule.isOptional) return {};
  if (isDeeperThan(text, DEPTH_MAX))
    throw new AppError('invalid_json', `The body may be nested at most ${DEPTH_MAX} levels deep.`);
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch (error) {
    const where = describePosition(error, text);
    throw new AppError('invalid_json', `The body is not valid JSON${where}.`, { cause: error });
  }
}

/** Returns the position of the error. Leaves out the parser's message, because it may contain parts of the body. */
function describePosition(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : '';
  const position = / in JSON at position (\d+)/.exec(message)?.[1];
  if (position === undefined) return '';
  const lines = text.slice(0, Number(position)).split('\n');
  return ` at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError('invalid_json', 'The body is not valid UTF-8.', { cause: error });
  }
}

/**
 * True if the text is nested deeper than `depthMax` levels. Counts brackets before parsing, because parsing a deeply
 * nested body would be expensive.
 */
function isDeeperThan(text: string, depthMax: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (isInString && character === '\\') index += 1;
    else if (character === '"') isInString = !isInString;
    else if (!isInString && (character === '[' || character === '{')) depth += 1;
    else if (!isInString && (character === ']' || character === '}')) depth -= 1;
    if (depth > depthMax) return true;
  }
  return false;
}
