/**
 * Protects this process from more requests than it can serve. Requests wait for a moment. If too many are waiting,
 * further requests are refused immediately, before they cause work. Accounts share the slots, so a flood of one account
 * delays and refuses only its own requests. Health checks are not limited.
 */
import type { Request, RequestHandler, Response } from 'express';
import {
  type Admission,
  type AdmissionBounds,
  createAdmission,
  type Leave,
} from '../../platform/admission/admission';
import { createFairUse, type FairUseBounds } from '../../platform/admission/fair-use';
import { listNetworks } from '../../platform/client-network';
import { AppError } from '../../platform/errors';
import type { Logger } from '../../platform/logger';
import { createLruCache } from '../../platform/lru-cache';
import { findCredential } from './credential';
import { onceClosed } from './once-closed';
import { buildProblem, buildProblemHeaders } from './problem';
import { getRequestId } from './request-id';

export interface LoadBounds {
  readonly pings: AdmissionBounds;
  readonly requests: AdmissionBounds;
}

/**
 * The load that the database can handle. Pings are written in batches of 200, and requests share 20 connections. One
 * account alone runs at most six requests at once: more would not be faster, and would delay the requests of other
 * accounts.
 */
const BOUNDS: LoadBounds = {
  pings: { atOnce: 400, waitingMax: 2_000, waitMaxMs: 1_000 },
  requests: { atOnce: 100, shareOfFree: 1 / 16, waitingMax: 400, waitMaxMs: 1_000 },
};
/**
 * How much one account may keep this process busy. A list of 200 monitors takes about 20 ms. A few open dashboards send
 * fewer than 16 requests at once.
 */
const FAIR_USE: FairUseBounds = {
  share: 1 / 4,
  crowdShare: 1 / 12,
  crowd: 16,
  burstMs: 1_000,
  expectedMs: 50,
  presentMs: 2_000,
};
const RETRY_AFTER_SECONDS = 5;
const LOGGED_EVERY_MS = 10_000;
/** Matches paths that use the database. Paths of probes are left out, because they have their own limits. */
const BOUNDED = /^\/(v1|status|badges|hooks|mcp)(\/|$)/;

export interface LoadShedding {
  /** Limits the work on a ping. Reading the text of a ping uses no slot of this limit. */
  readonly admitPing: Admission;
  /** Admits or refuses a request. Must come before everything expensive. */
  readonly admitRequests: RequestHandler;
  /** Ends the request with 503 `unavailable`. */
  readonly refuse: (request: Request, response: Response) => void;
}

/** Returns for how many milliseconds the event loop of this process has been busy so far. */
function readBusyMs(): number {
  return performance.eventLoopUtilization().active;
}

const leaving = new WeakMap<Response, Leave>();

/** Frees the request's slot early, for work that takes long or has its own limit. */
export function releaseEarly(response: Response): void {
  leaving.get(response)?.();
}

export interface LoadOptions {
  readonly logger: Pick<Logger, 'warn'>;
  readonly publicUrl: string;
  readonly bounds?: LoadBounds | undefined;
  /** Returns the milliseconds of a monotonic clock. */
  readonly steadyNow?: () => number;
}

export function createLoadShedding({
  logger,
  publicUrl,
  bounds: { pings, requests } = BOUNDS,
  steadyNow = () => performance.now(),
}: LoadOptions): LoadShedding {
  const fairUse = createFairUse(FAIR_USE, { steadyNow, busyMs: readBusyMs });
  const admit = createAdmission(requests, steadyNow, fairUse);
  const note = createShedLog(logger, steadyNow);
  const groups = createGroups(publicUrl);

  function refuse(request: Request, response: Response): void {
    note();
    const refusal = new AppError(
      'unavailable',
      'Too many requests at the same time. Try again soon.',
      {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      },
    );
    const problem = buildProblem(refusal, getRequestId(request));
    const body = JSON.stringify(problem);
    response.locals['refusal'] = problem.code;
    response
      .writeHead(problem.status, {
        ...buildProblemHeaders(refusal),
        'Cache-Control': 'no-store',
        'Content-Length': Buffer.byteLength(body),
        'Content-Type': 'application/problem+json',
        'X-Content-Type-Options': 'nosniff',
      })
      .end(body);
  }

  return {
    admitPing: createAdmission(pings, steadyNow),
    refuse,
    admitRequests: async (request, response, next) => {
      if (!BOUNDED.test(request.path)) {
        next();
        return;
      }
      const leave = await admit(groups.find(request));
      if (leave === null) {
        refuse(request, response);
        return;
      }
      leaving.set(response, leave);
      // The request's slot in the load limit is freed before the client has read the response, so
      // that slow clients do not block others.
      response.once('prefinish', leave);
      onceClosed(response, leave);
      if (response.destroyed) return;
      response.once('close', () => groups.learn(request, response));
      next();
    },
  };
}

/** How many callers are remembered: enough for the keys and sessions that are used within a short time. */
const CALLERS_MAX = 10_000;

interface Groups {
  readonly find: (request: Request) => string;
  /** Remembers the account of a caller who was authenticated. */
  readonly learn: (request: Request, response: Response) => void;
}

/**
 * Groups requests by account before their caller is authenticated. A key or session counts for the account of its last
 * request. Other callers are grouped by IP address, or by /64 network for IPv6.
 */
function createGroups(publicUrl: string): Groups {
  const accounts = createLruCache<string>(CALLERS_MAX);
  return {
    find: (request) => {
      const caller = findCredential(request.headers, publicUrl);
      const accountId = caller === null ? undefined : accounts.get(caller.hash);
      return accountId ?? listNetworks(request.ip ?? '')[0]?.[1] ?? '';
    },
    learn: (request, response) => {
      const caller = findCredential(request.headers, publicUrl);
      const accountId: unknown = response.locals['accountId'];
      if (caller !== null && typeof accountId === 'string') accounts.set(caller.hash, accountId);
    },
  };
}

/** Logs many refusals in one line, so that a flood does not fill the log. */
function createShedLog(logger: Pick<Logger, 'warn'>, steadyNow: () => number): () => void {
  let refused = 0;
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    refused += 1;
    if (steadyNow() - loggedAtMs < LOGGED_EVERY_MS) return;
    logger.warn({ refused }, 'overloaded: requests are refused with 503');
    refused = 0;
    loggedAtMs = steadyNow();
  };
}
