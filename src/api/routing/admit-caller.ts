/**
 * Admits the caller of a route: checks credential, rate limits and rights, in this order. A caller that exceeds its
 * limit costs nearly nothing. For some seconds, its further requests are refused without reading the database. Each
 * refusal is sent after a pause.
 */
import type { Request, Response } from 'express';
import type { AppError } from '../../platform/errors';
import { createLruCache } from '../../platform/lru-cache';
import { requireOperator } from '../../services/accounts/operators';
import { type Principal, requireScope } from '../../services/accounts/principal';
import { spendQuota } from '../../services/accounts/spend-quota';
import type { Dependencies } from '../../services/ports/dependencies';
import { findCredential } from '../server/credential';
import { createPace } from '../server/pace';
import { buildQuotaHeaders } from '../server/quota-headers';
import { releaseEarly } from '../server/shed-load';
import { authenticateRequest } from './authenticate-request';
import { findOpenWhileSuspended } from './open-while-suspended';
import type { Route } from './route';

export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

type Asked = Pick<Route, 'method' | 'path' | 'scope' | 'isOpenWithoutFactor'>;

export interface CallerGate {
  /** Returns the caller. null means that the route is public. Sets the rate limit headers before it refuses. */
  readonly admit: (route: Asked, exchange: Exchange) => Promise<Principal | null>;
  /** Throws if the caller of a running stream would be refused now. Does not count against a rate limit. */
  readonly admitAgain: (route: Asked, request: Request) => Promise<void>;
}

/** Sets the rate limit headers, and returns the error to throw. */
type Refuse = (response: Response) => AppError;

interface Spent {
  readonly principal: Principal;
  readonly refuse: Refuse;
}

/** Limit of the requests of one person in this process. Dashboards and their live updates need far fewer. */
const PERSON_PER_MINUTE_MAX = 1_200;
/**
 * How long a caller is refused from memory. After this time, the stored count decides again, so that a plan with higher
 * limits takes effect soon.
 */
const SPENT_FOR_MS = 5_000;
const SPENT_MAX = 10_000;
/** A client that ignores `Retry-After` waits this long for each further refusal. */
const PAUSE_MS = 1_000;
/** Each paused refusal occupies a connection. Above this number, refusals are sent without a pause. */
const PAUSED_MAX = 1_000;

export function createCallerGate(
  services: Dependencies,
  publicUrl: string,
  personPerMinuteMax = PERSON_PER_MINUTE_MAX,
): CallerGate {
  const { clock, areKeysLimited } = services;
  const spentCallers = createSpentCallers(services);
  const message = `A person may send at most ${personPerMinuteMax} requests per minute. Wait a little and try again.`;
  const people = createPace({ max: personPerMinuteMax, windowSeconds: 60, message });

  const identify = (asked: Asked, { headers, ip = '' }: Request): Promise<Principal> =>
    authenticateRequest(services, {
      method: asked.method,
      headers,
      publicUrl,
      clientAddress: ip,
      openWhileSuspended: findOpenWhileSuspended(asked),
      isOpenWithoutFactor: asked.isOpenWithoutFactor,
    });

  /**
   * Counts the request. If the limit of the key or person is used up, returns a function that refuses the request.
   * Otherwise, returns null.
   */
  async function spend(principal: Principal, response: Response): Promise<Refuse | null> {
    const { personId, accountId, actor } = principal;
    if (personId !== undefined) {
      const refusal = areKeysLimited ? people.count(`${accountId} ${actor.id}`, clock.now()) : null;
      return refusal === null ? null : () => refusal;
    }
    const quotaAt = await spendQuota(services, principal);
    if (quotaAt === null) return null;
    const { states, refusal } = quotaAt(clock.now());
    response.set(buildQuotaHeaders(states));
    if (refusal === null) return null;
    return (refused) => {
      const quota = quotaAt(clock.now());
      refused.set(buildQuotaHeaders(quota.states));
      return quota.refusal ?? refusal;
    };
  }

  return {
    async admit(asked, { request, response }) {
      if (asked.scope === 'public') return null;
      const hash = findCredential(request.headers, publicUrl)?.hash ?? '';
      await spentCallers.refuseAgain(hash, response);
      const principal = await identify(asked, request);
      nameCaller(response, principal);
      const refuse = await spend(principal, response);
      if (refuse !== null) throw spentCallers.refuse(hash, { principal, refuse }, response);
      await requireRight(services, principal, asked.scope);
      return principal;
    },
    async admitAgain(asked, request) {
      await requireRight(services, await identify(asked, request), asked.scope);
    },
  };
}

async function requireRight(
  services: Dependencies,
  principal: Principal,
  scope: Asked['scope'],
): Promise<void> {
  if (scope === 'operator') await requireOperator(services, principal);
  else if (scope !== 'public') requireScope(principal, scope);
}

/** Remembers callers that have exceeded their limit within the last seconds, by the hash of their credential. */
function createSpentCallers({ clock, sleep }: Pick<Dependencies, 'clock' | 'sleep'>) {
  const callers = createLruCache<Spent & { readonly untilMs: number }>(SPENT_MAX);
  let pausedCount = 0;

  async function pause(): Promise<void> {
    if (pausedCount >= PAUSED_MAX) return;
    pausedCount += 1;
    await sleep(PAUSE_MS);
    pausedCount -= 1;
  }

  return {
    /** Remembers the caller, and returns the error of its first refusal. */
    refuse(hash: string, spent: Spent, response: Response): AppError {
      const refusal = spent.refuse(response);
      const forMs = Math.min(SPENT_FOR_MS, 1_000 * (refusal.retryAfterSeconds ?? 0));
      callers.set(hash, { ...spent, untilMs: clock.now() + forMs });
      return refusal;
    },
    /** Throws if the caller is remembered. The pause occupies no slot of the load limit. */
    async refuseAgain(hash: string, response: Response): Promise<void> {
      const spent = callers.get(hash);
      if (spent === undefined) return;
      if (spent.untilMs <= clock.now()) {
        callers.remove(hash);
        return;
      }
      nameCaller(response, spent.principal);
      releaseEarly(response);
      await pause();
      throw spent.refuse(response);
    },
  };
}

/** Stores who the caller is, for the log and for the admission of further requests with the same credential. */
function nameCaller({ locals }: Response, { actor, accountId }: Principal): void {
  Object.assign(locals, { actor: actor.id, accountId });
}
