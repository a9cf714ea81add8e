/** Small request bodies: the fields of a form that a browser or mail program sends, and plain text. */
import type { Request } from 'express';
import { AppError } from '../../platform/errors';

const KIB = 1_024;
const BODY_KIB_MAX = 4;
const MULTIPART = /^multipart\/form-data\s*;/i;

/**
 * Reads the fields of a form, which may be URL-encoded or multipart. Throws `payload_too_large`, or `validation_failed`
 * if the parts cannot be read.
 */
export async function readForm(
  request: Request,
  kibMax: number = BODY_KIB_MAX,
): Promise<URLSearchParams> {
  const body = await readSmallBody(request, kibMax);
  const type = request.headers['content-type'] ?? '';
  return MULTIPART.test(type) ? readParts(body, type) : new URLSearchParams(body.toString('utf8'));
}

/** Reads the text fields of a multipart form. Uploaded files are left out. */
async function readParts(body: Buffer, type: string): Promise<URLSearchParams> {
  const fields = new URLSearchParams();
  try {
    const parts = await new Response(body, { headers: { 'content-type': type } }).formData();
    for (const [name, value] of parts) if (typeof value === 'string') fields.append(name, value);
  } catch (error) {
    throw new AppError('validation_failed', 'The parts of the body cannot be read.', {
      cause: error,
    });
  }
  return fields;
}

export async function readSmallText(request: Request): Promise<string> {
  return (await readSmallBody(request, BODY_KIB_MAX)).toString('utf8');
}

/**
 * Reads a body. Throws `payload_too_large` if it is larger than the limit. A body that never ends is cut off by the
 * server's request timeout.
 */
async function readSmallBody(request: Request, kibMax: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) continue;
    bytes += part.length;
    if (bytes > kibMax * KIB)
      throw new AppError('payload_too_large', `The body may have at most ${kibMax} KiB.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
