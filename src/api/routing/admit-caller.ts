/**
 * Admits the caller of a route: credential, rate limits and rights, in this order. A caller whose limit is used up costs
 * nearly nothing: for some seconds its further requests are refused from memory, each after a pause.
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
import { quotaHeaders } from '../server/quota-headers';
import { leaveEarly } from '../server/shed-load';
import { authenticateRequest } from './authenticate-request';
import { findOpenWhileSuspended } from './open-while-suspended';
import type { Route } from './route';

export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

type Asked = Pick<Route, 'method' | 'path' | 'scope' | 'isOpenWithoutFactor'>;

export interface CallerGate {
  /** Returns the caller. null: the route is public. Sets the rate limit headers before it refuses. */
  readonly admit: (route: Asked, exchange: Exchange) => Promise<Principal | null>;
  /** Throws if the caller of a running stream would not be admitted any more. Counts against no limit. */
  readonly admitAgain: (route: Asked, request: Request) => Promise<void>;
}

/** Sets the rate limit headers, and returns the error to throw. */
type Refuse = (response: Response) => AppError;

interface Spent {
  readonly principal: Principal;
  readonly refuse: Refuse;
}

/** Requests of a person in this process. Dashboards and their live updates need far fewer. */
const PERSON_PER_MINUTE_MAX = 1_200;
/** The stored count decides again after this time, so that a better plan takes effect soon. */
const SPENT_FOR_MS = 5_000;
const SPENT_MAX = 10_000;
/** A client that ignores `Retry-After` waits this long for each further refusal. */
const PAUSE_MS = 1_000;
/** Paused refusals cost a connection each. Beyond this number, refusals are sent at once. */
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

  /** Counts the request. Returns how to refuse it if the limit of the key or person is used up. */
  async function spend(principal: Principal, response: Response): Promise<Refuse | null> {
    const { personId, accountId, actor } = principal;
    if (personId !== undefined) {
      const refusal = areKeysLimited ? people.count(`${accountId} ${actor.id}`, clock.now()) : null;
      return refusal === null ? null : () => refusal;
    }
    const quotaAt = await spendQuota(services, principal);
    if (quotaAt === null) return null;
    const { states, refusal } = quotaAt(clock.now());
    response.set(quotaHeaders(states));
    if (refusal === null) return null;
    return (refused) => {
      const quota = quotaAt(clock.now());
      refused.set(quotaHeaders(quota.states));
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

/** The callers whose limit was used up a moment ago, by the hash of their credential. */
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
      leaveEarly(response);
      await pause();
      throw spent.refuse(response);
    },
  };
}

/** For the log, and for the admission of further requests with the same credential. */
function nameCaller({ locals }: Response, { actor, accountId }: Principal): void {
  Object.assign(locals, { actor: actor.id, accountId });
}
