/** Small bodies of requests: the fields of a form that a browser sends without a script, and plain text. */
import type { Request } from 'express';
import { AppError } from '../../platform/errors';

const BODY_BYTES_MAX = 4_096;

export async function readForm(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await readSmallText(request));
}

/** The server's time limit ends a body without end. */
export async function readSmallText(request: Request): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) continue;
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX)
      throw new AppError('payload_too_large', 'The body may have at most 4 KiB.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
