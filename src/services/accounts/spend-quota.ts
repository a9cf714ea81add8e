/**
 * Counts a request of an API key in both time windows of its plan (docs/api.md). The requests of all keys of a pipeline
 * are counted together.
 */
import { computeWindowStates, type WindowState } from '../../domain/accounts/key-quota';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';
import type { Principal } from './principal';

export type QuotaStates = readonly [WindowState, WindowState];

export interface QuotaOutcome {
  readonly states: QuotaStates;
  /** The error to throw when a window is used up. The request was not counted in that case. */
  readonly refusal: AppError | null;
}

/**
 * Counts the request. Returns a function that reads the state of the windows at the time of the response. Returns null
 * for people, and while limits are turned off.
 */
export async function spendQuota(
  { stores, clock, areKeysLimited }: Pick<Dependencies, 'stores' | 'clock' | 'areKeysLimited'>,
  { accountId, actor, pipelineId, keyLimits: limits }: Principal,
): Promise<((nowMs: number) => QuotaOutcome) | null> {
  if (limits === null || !areKeysLimited) return null;
  const spending = { limits, nowMs: clock.now() };
  const spender = pipelineId ?? actor.id;
  const { isWithin, use } = await stores.quotas.spend(accountId, spender, spending);
  return (nowMs) => {
    const states = computeWindowStates(use, limits, nowMs);
    return { states, refusal: isWithin ? null : buildRefusal(states, pipelineId) };
  };
}

function buildRefusal(states: QuotaStates, pipelineId: string | undefined): AppError {
  const violated = states.filter(({ remaining }) => remaining === 0);
  const names = violated.map(({ name }) => name);
  const words = violated.map(({ name, quota }) => `${quota} requests per ${name}`).join(' and ');
  const who = pipelineId === undefined ? 'This API key' : 'All keys of this pipeline together';
  return new AppError(
    'rate_limited',
    `${who} may send at most ${words}. Wait a little and try again.`,
    {
      retryAfterSeconds: Math.max(1, ...violated.map(({ resetSeconds }) => resetSeconds)),
      violatedPolicies: names,
    },
  );
}
