/** Receives pings of jobs, responds as a test says, and records the pings in order. */
import type { ServerResponse } from 'node:http';
import { startRecordingTarget } from '../support/recording-target';

export interface SentPing {
  /** Method and path, such as `POST /ping/token/start`. */
  readonly line: string;
  readonly runId: string | null;
  readonly onceKey: string | undefined;
  readonly text: string;
}

export interface JobReceiver {
  readonly url: string;
  readonly pings: SentPing[];
  readonly close: () => Promise<void>;
}

export function takes(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain' }).end('OK\n');
}

/** Starts a receiver that responds as `handle` does. `handle` may also never respond. */
export async function startJobReceiver(
  handle: (response: ServerResponse, ping: SentPing) => void = takes,
): Promise<JobReceiver> {
  const pings: SentPing[] = [];
  const { origin, close } = await startRecordingTarget(
    ({ method, url, headers, body }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://receiver');
      const onceKey = headers['idempotency-key']?.toString();
      const line = `${method} ${pathname}`;
      const ping = { line, runId: searchParams.get('rid'), onceKey, text: body };
      pings.push(ping);
      handle(response, ping);
    },
  );
  return {
    url: origin,
    pings,
    close,
  };
}
