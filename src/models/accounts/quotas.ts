/**
 * Counts the requests of API keys in two time windows, with one document per key or pipeline. One conditional update
 * counts a request in both windows, or in neither.
 */
import type { Model } from 'mongoose';
import { findWindows, type QuotaUse } from '../../domain/accounts/key-quota';
import type { KeyLimits } from '../../domain/accounts/plan';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { below } from '../store/filters';

export interface QuotaSpent {
  /** False if a window is used up. The request was not counted in that case. */
  readonly isWithin: boolean;
  readonly use: QuotaUse;
}

export interface QuotaStore {
  /** Counts one request in both windows, or in neither. Atomic across all processes. */
  readonly spend: (
    accountId: string,
    spenderId: string,
    spending: { readonly limits: KeyLimits; readonly nowMs: number },
  ) => Promise<QuotaSpent>;
}

export interface QuotaDocument extends QuotaUse {
  /** Id of the key or pipeline. */
  readonly _id: string;
  readonly accountId: string;
}

export const quotaCollection = defineCollection<QuotaDocument>('quotas', {
  accountId: String,
  minute: Number,
  minuteUsed: Number,
  day: Number,
  dayUsed: Number,
});

/** The maximum number of tries. A retry is needed only if another process opened a window at the same moment. */
const TRIES_MAX = 8;

interface Spending {
  readonly limits: KeyLimits;
  readonly nowMs: number;
}

export function createQuotaStore(quotas: Model<QuotaDocument>): QuotaStore {
  return {
    async spend(accountId, spenderId, spending) {
      let stored: QuotaDocument | null = null;
      for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
        const owner = { _id: spenderId, accountId };
        const spent = await spendInWindow(quotas, { ...owner, ...spending }, stored);
        if (spent !== null) return { isWithin: true, use: spent };
        stored = await quotas.findOne(owner).lean();
        const refused = stored === null ? null : findRefusal(stored, spending);
        if (refused !== null) return refused;
        const opened = await openWindow(quotas, { ...owner, ...spending }, stored);
        if (opened !== null) return { isWithin: true, use: opened };
      }
      throw new Error(
        'the request could not be counted, because the quota of its key kept changing',
      );
    },
  };
}

type Request = Spending & Pick<QuotaDocument, '_id' | 'accountId'>;

/**
 * Counts the request in the current windows. null means that there are no windows yet, or that the limit of a window is
 * reached.
 */
function spendInWindow(
  quotas: Model<QuotaDocument>,
  { _id, accountId, limits, nowMs }: Request,
  stored: QuotaUse | null,
): Promise<QuotaDocument | null> {
  return quotas
    .findOneAndUpdate(
      {
        _id,
        accountId,
        ...findWindows(nowMs, stored),
        minuteUsed: below(limits.perMinute),
        dayUsed: below(limits.perDay),
      },
      { $inc: { minuteUsed: 1, dayUsed: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
}

/** Returns a refusal with the stored counts if one of the current windows is used up. Returns null otherwise. */
function findRefusal(stored: QuotaDocument, { limits, nowMs }: Spending): QuotaSpent | null {
  const { minute, day } = findWindows(nowMs, stored);
  const isMinuteUp = stored.minute === minute && stored.minuteUsed >= limits.perMinute;
  const isDayUp = stored.day === day && stored.dayUsed >= limits.perDay;
  return isMinuteUp || isDayUp ? { isWithin: false, use: stored } : null;
}

/** Opens the current windows and counts one request in them. null if another process has opened them. */
async function openWindow(
  quotas: Model<QuotaDocument>,
  { _id, accountId, limits, nowMs }: Request,
  stored: QuotaDocument | null,
): Promise<QuotaUse | null> {
  const { minute, day } = findWindows(nowMs, stored);
  if (stored === null) {
    const first = { minute, minuteUsed: 1, day, dayUsed: 1 };
    const isFirst = await writeUnlessPresent(() => quotas.create([{ _id, accountId, ...first }]));
    return isFirst ? first : null;
  }
  if (stored.minute === minute) return null;
  const isSameDay = stored.day === day;
  const owner = { _id, accountId, minute: stored.minute, day: stored.day };
  const change = isSameDay
    ? { $set: { minute, minuteUsed: 1 }, $inc: { dayUsed: 1 } }
    : { $set: { minute, minuteUsed: 1, day, dayUsed: 1 } };
  return quotas
    .findOneAndUpdate(isSameDay ? { ...owner, dayUsed: below(limits.perDay) } : owner, change, {
      returnDocument: 'after',
    })
    .lean();
}
