/**
 * The URLs to which jobs send pings. The token in the URL is the only credential. Accepted pings skip the middlewares
 * of pages and `/v1`. Refused pings pass through them, so they are logged and get a problem document.
 */
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { AppError } from '../../platform/errors';
import { createHeartbeatNotifier } from '../../services/heartbeats/notify-heartbeats';
import { findPingedJob, takePing } from '../../services/heartbeats/take-ping';
import type { Dependencies } from '../../services/ports/dependencies';
import { createSecretValues } from '../../services/secrets/secret-values';
import { createReportPace } from '../server/pace';
import type { LoadShedding } from '../server/shed-load';
import { type PingAddressParts, readPing, readPingAddress } from './read-ping';

export interface Pings {
  /** Stores accepted pings. Must be mounted before logging, compression and the headers of pages. */
  readonly take: RequestHandler;
  /** Must be mounted with the routes. Throws the reason why the ping was not accepted. */
  readonly refuse: RequestHandler;
}

const TAKEN = {
  'Cache-Control': 'no-store',
  'Content-Length': 3,
  'Content-Type': 'text/plain; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
} as const;

export function createPings(
  services: Dependencies,
  load: Pick<LoadShedding, 'admitPing' | 'refuse'>,
): Pings {
  const refused = new WeakMap<IncomingMessage, unknown>();
  const notifier = createHeartbeatNotifier(services);
  const needs = { ...services, readSecretValues: createSecretValues(services) };
  const pace = createReportPace(5, 'A heartbeat');
  const admit = (token: string): void => pace(token, services.clock.now());
  /** Runs the work within the load limit. Returns null if too many pings are waiting. */
  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result | null> {
    const leave = await load.admitPing();
    return leave === null ? null : work().finally(leave);
  }
  /** Stores the ping. Returns false if too many pings are already waiting. */
  async function store(request: Request, parts: PingAddressParts): Promise<boolean> {
    const { head, readText } = readPing(request, parts, admit);
    const { token } = head;
    const job = await inTurn(() => findPingedJob(services, { token, address: request.ip ?? '' }));
    if (job === null) return false;
    // The text is read before the ping uses one of the limited slots for storing.
    const text = await readText();
    const taken = await inTurn(() => takePing(needs, job, { ...head, text }));
    if (taken === null) return false;
    notifier.notify(taken);
    return true;
  }
  return {
    take: async (request, response, next) => {
      const address = readPingAddress(request);
      if (address === null) {
        next();
        return;
      }
      response.locals['route'] = '/ping/:token';
      try {
        if (!(await store(request, address))) {
          load.refuse(request, response);
          return;
        }
      } catch (error) {
        refused.set(request, error);
        next();
        return;
      }
      response.writeHead(200, TAKEN).end('OK\n');
    },
    refuse: (request, response, next) => {
      if (!refused.has(request)) {
        next();
        return;
      }
      const error = refused.get(request);
      if (error instanceof AppError && error.code === 'method_not_allowed')
        response.set('Allow', 'GET, HEAD, POST');
      throw error;
    },
  };
}
