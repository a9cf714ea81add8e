/** Downloads a file over HTTP and reports progress. The caller must verify the content. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Progress } from './progress';

const RESPONSE_WITHIN_MS = 3_000;
const STALL_MS = 30_000;

/** True if the site responds in time, with any status. */
export async function isResponding(
  address: string,
  withinMs = RESPONSE_WITHIN_MS,
): Promise<boolean> {
  try {
    const response = await fetch(address, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(withinMs),
    });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

export interface Download {
  readonly address: string;
  readonly file: string;
  readonly label: string;
  readonly progress: Progress;
}

/**
 * Writes the response body to the file. Throws if no data arrives for 3 s at the start or for 30 s later, if the status
 * is not 200, or if the length differs from `content-length`.
 */
export async function downloadFile({ address, file, label, progress }: Download): Promise<void> {
  const stop = new AbortController();
  let watchdog = setTimeout(() => stop.abort(), RESPONSE_WITHIN_MS);
  try {
    const response = await fetch(address, { signal: stop.signal });
    if (response.status !== 200 || response.body === null) {
      throw new Error(`the download site responded with ${response.status}`);
    }
    const total = Number(response.headers.get('content-length') ?? 0);
    let done = 0;
    const body = Readable.fromWeb(response.body).on('data', (chunk: Uint8Array) => {
      done += chunk.byteLength;
      clearTimeout(watchdog);
      watchdog = setTimeout(() => stop.abort(), STALL_MS);
      progress.track(label, done, total);
    });
    await pipeline(body, createWriteStream(file));
    if (total !== 0 && done !== total)
      throw new Error(`the download broke off after ${done} bytes`);
  } catch (error) {
    if (stop.signal.aborted) throw new Error('the download stalled', { cause: error });
    throw error;
  } finally {
    clearTimeout(watchdog);
  }
}
