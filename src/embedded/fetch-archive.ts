/**
 * Downloads a file over HTTP with progress. Nothing is trusted here: the caller checks what
 * arrived.
 */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Progress } from './progress';

const RESPONSE_WITHIN_MS = 3_000;
const STALL_MS = 30_000;

/** True when the site answers anything at all in time. */
export async function responds(address: string, withinMs = RESPONSE_WITHIN_MS): Promise<boolean> {
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
 * Writes the whole answer to the file, or throws: when headers take more than 3 s, when nothing
 * arrives for 30 s, on any status but 200, and when fewer bytes come than were announced.
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
