/** Sends one report to the external receiver of the watchdog. The path of its URL is secret. */
import { buildFailUrl, readPingToken } from '../../../domain/operations/watchdog';
import type { Stores } from '../../../models/stores';
import { hashToken } from '../../accounts/api-key-format';

interface Needs {
  readonly url: string;
  readonly post: (request: {
    readonly url: string;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly body: string;
  }) => Promise<{ readonly status: number } | { readonly failure: { readonly message: string } }>;
  readonly stores: { readonly monitors: Pick<Stores['monitors'], 'findByPing'> };
  readonly nowMs: () => number;
}

/**
 * Sends a report. With a reason, the report is sent to `URL/fail`. Resolves with null if the report was delivered, and
 * otherwise with a description of the failure.
 */
export type SendReport = (reason: string | null) => Promise<string | null>;

const OWN =
  'KEEPWATCH_WATCHDOG_URL is a heartbeat of this installation, which cannot notice its own outage';

export function createSendReport({ url, post, stores, nowMs }: Needs): SendReport {
  const token = readPingToken(url);
  let isOwn: boolean | null = token === null ? false : null;
  return async (reason) => {
    // Finds out whether the URL leads to this installation, under any host name. No other installation has this token.
    isOwn ??= await stores.monitors.findByPing(hashToken(token ?? ''), nowMs()).then(
      (found) => found !== null,
      () => null,
    );
    if (isOwn === true) return OWN;
    const sent = await post({
      url: reason === null ? url : buildFailUrl(url),
      headers: [{ name: 'content-type', value: 'text/plain; charset=utf-8' }],
      body: reason ?? 'A canary was scheduled, taken, stored and read back.',
    });
    if ('failure' in sent) return `the receiver could not be reached: ${sent.failure.message}`;
    return sent.status < 300 ? null : `the receiver responded with ${sent.status}`;
  };
}
