/** Small request bodies: the fields of a form that a browser sends without a script, and plain text. */
import type { Request } from 'express';
import { AppError } from '../../platform/errors';

const KIB = 1_024;
const BODY_KIB_MAX = 4;

export async function readForm(
  request: Request,
  kibMax: number = BODY_KIB_MAX,
): Promise<URLSearchParams> {
  return new URLSearchParams(await readSmallText(request, kibMax));
}

/** The server's time limit ends an endless body. */
export async function readSmallText(
  request: Request,
  kibMax: number = BODY_KIB_MAX,
): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) continue;
    bytes += part.length;
    if (bytes > kibMax * KIB)
      throw new AppError('payload_too_large', `The body may have at most ${kibMax} KiB.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
