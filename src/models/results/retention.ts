/**
 * Deletes results and their evidence. The configured retention applies, or the retention of the plan if that is
 * shorter. Daily summaries are kept forever and hourly summaries for 400 days.
 */
import type { Model } from 'mongoose';
import { PLAN_BOUNDS } from '../../domain/accounts/plan';
import { buildFirstResultId, parseResultId } from '../../domain/health/result-id';
import { DAY_MS } from '../../domain/health/summary';
import type { Clock } from '../../platform/clock';
import type { Models } from '../collections';
import { deleteBatch } from '../store/delete-batch';
import { above, between } from '../store/filters';

const BATCH = 1_000;
const HOURS_KEPT_DAYS = 400;

export interface RetentionRequest {
  readonly retentionDays: number;
  readonly budgetMs: number;
}

export interface Retention {
  /** Deletes expired results. Continues where the last call stopped. Returns the number of deleted documents. */
  readonly deleteExpired: (request: RetentionRequest) => Promise<number>;
}

interface ExpiringCollection {
  readonly collection: Model<{ readonly _id: string }>;
  readonly isKept: (name: string) => boolean;
  /** Returns the time before which documents of the monitor or scenario are deleted. */
  readonly findBeforeMs: (resourceId: string) => Promise<number>;
}

/** Creates the function that deletes expired documents. It alternates between the collections. */
export function createRetention(
  models: Pick<Models, 'results' | 'summaries' | 'evidenceBefore'> & PlanModels,
  clock: Clock,
): Retention {
  const positions = { results: '', evidenceBefore: '', summaries: '' };
  return {
    async deleteExpired({ retentionDays, budgetMs }) {
      const nowMs = clock.now();
      const hasTime = () => clock.now() < nowMs + budgetMs;
      const asResults = {
        isKept: () => false,
        findBeforeMs: async (resourceId: string) => {
          const planDays = await readPlanDays(models, resourceId);
          return nowMs - Math.min(retentionDays, planDays) * DAY_MS;
        },
      };
      const collections = {
        results: {
          ...asResults,
          collection: models.results as unknown as ExpiringCollection['collection'],
        },
        evidenceBefore: {
          ...asResults,
          collection: models.evidenceBefore as unknown as ExpiringCollection['collection'],
        },
        summaries: {
          collection: models.summaries as unknown as ExpiringCollection['collection'],
          isKept: (name: string) => name.startsWith('d/'),
          findBeforeMs: async () => nowMs - HOURS_KEPT_DAYS * DAY_MS,
        },
      };
      let deleted = 0;
      for (let isMoreLeft = true; isMoreLeft && hasTime(); ) {
        isMoreLeft = false;
        for (const name of ['results', 'evidenceBefore', 'summaries'] as const) {
          const walked = await walk(collections[name], positions[name], hasTime);
          positions[name] = walked.position;
          deleted += walked.deleted;
          isMoreLeft ||= walked.isMoreLeft;
        }
      }
      return deleted;
    },
  };
}

type PlanModels = Pick<Models, 'monitors' | 'scenarios' | 'accounts'>;

/** Returns the retention of the plan, in days. Returns infinity if the resource or its account no longer exists. */
async function readPlanDays(
  { monitors, scenarios, accounts }: PlanModels,
  resourceId: string,
): Promise<number> {
  const filter = { _id: resourceId };
  const owned =
    (await monitors.findOne(filter, { accountId: 1 }).lean<Owned>()) ??
    (await scenarios.findOne(filter, { accountId: 1 }).lean<Owned>());
  const account =
    owned === null ? null : await accounts.findOne({ _id: owned.accountId }, { plan: 1 }).lean();
  return account === null ? Number.POSITIVE_INFINITY : PLAN_BOUNDS[account.plan].retentionDays;
}

interface Owned {
  readonly accountId: string;
}

interface Walked {
  readonly position: string;
  readonly deleted: number;
  /** True if one of the resources has more old documents than one batch. */
  readonly isMoreLeft: boolean;
}

/**
 * Deletes one batch of each resource, so that a resource with very many old documents does not delay the others. Starts
 * after the position. An empty position means the start of the collection. After the last resource, the position is
 * empty again.
 */
async function walk(
  target: ExpiringCollection,
  from: string,
  hasTime: () => boolean,
): Promise<Walked> {
  let position = from;
  let deleted = 0;
  let isMoreLeft = false;
  while (hasTime()) {
    const next = await target.collection
      .findOne({ _id: above(position) }, { _id: 1 })
      .sort({ _id: 1 })
      .lean();
    if (next === null) return { position: '', deleted, isMoreLeft };
    const { monitorId, region } = parseResultId(next._id);
    if (!target.isKept(region)) {
      const beforeMs = await target.findBeforeMs(monitorId);
      const end = buildFirstResultId(monitorId, region, beforeMs);
      const went = await deleteBatch(target.collection, { _id: between(next._id, end) }, BATCH);
      deleted += went;
      isMoreLeft ||= went === BATCH;
    }
    position = `${monitorId}:${region};`;
  }
  return { position, deleted, isMoreLeft };
}
