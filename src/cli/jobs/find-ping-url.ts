/** Finds the ping URL of a heartbeat by the URL itself, the monitor's key or its id. */
import { z } from 'zod';
import { CliError, EXIT_CODES } from '../cli-error';
import { readServerUrl, type Session } from '../session';

const heartbeatShape = z.looseObject({
  id: z.string(),
  key: z.string().nullish(),
  pingUrl: z.string().optional(),
});
const pageShape = z.looseObject({ data: z.array(heartbeatShape) });

type Heartbeat = z.output<typeof heartbeatShape>;

const TRY_MS = 10_000;

/**
 * Returns a function that asks the service for the ping URL, and caches the URL once a call has succeeded. Throws a
 * usage error immediately if the reference is an invalid URL.
 */
export function createPingUrlFinder(
  session: Pick<Session, 'client'>,
  reference: string,
): (signal: AbortSignal) => Promise<string> {
  let known = isUrl(reference) ? readServerUrl(reference) : null;
  return async (signal) => {
    known ??= findUrl(reference, await findMonitor(session, reference, signal));
    return known;
  };
}

/** Returns the name that users see. A ping URL works like a key, so only its origin is shown. */
export function formatTarget(reference: string): string {
  return isUrl(reference) ? new URL(reference).origin : reference;
}

function isUrl(reference: string): boolean {
  return reference.includes('://');
}

async function findMonitor(
  { client }: Pick<Session, 'client'>,
  reference: string,
  signal: AbortSignal,
): Promise<Heartbeat | undefined> {
  const call = { signal, timeoutMs: TRY_MS };
  if (reference.startsWith('mon_'))
    return client().call(`v1/monitors/${encodeURIComponent(reference)}`, heartbeatShape, call);
  const query = { q: reference, limit: '500' };
  const { data } = await client().call('v1/monitors', pageShape, { ...call, query });
  return data.find(({ key }) => key === reference);
}

function findUrl(reference: string, monitor: Heartbeat | undefined): string {
  if (monitor?.pingUrl !== undefined) return monitor.pingUrl;
  const fault =
    monitor === undefined ? 'There is no monitor with the key' : 'This monitor is not a heartbeat:';
  throw new CliError(EXIT_CODES.rejected, `${fault} ${reference}.`);
}
