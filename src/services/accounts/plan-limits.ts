/**
 * Enforces the limits of an account's plan. Near a limit, writers take turns, so that parallel requests never exceed
 * the limit.
 */
import { PLAN_BOUNDS, type Plan, type PlanBounds } from '../../domain/accounts/plan';
import { AppError } from '../../platform/errors';
import { compensateLater } from '../lists/run-or-compensate';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;
type Turns = Pick<Dependencies, 'stores' | 'clock' | 'sleep' | 'randomBytes'>;

/**
 * If more objects than this still fit in the plan, writers need not take turns. The number is larger than the number of
 * objects that are ever written at the same time.
 */
const PLENTY = 1_000;
/** A process that has not renewed its lock for this time is treated as crashed. */
const HELD_AT_MOST_MS = 10_000;
const RENEW_EVERY_MS = 3_000;
const OWNER_BYTES = 16;

export type Countable = 'monitors' | 'scenarios' | 'members';

interface PlanInForce {
  readonly plan: Plan;
  readonly bounds: PlanBounds;
}

/** Returns the plan. null for an account that no longer exists. */
export async function readPlan(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
): Promise<PlanInForce | null> {
  const account = await stores.accounts.find(accountId);
  return account === null ? null : { plan: account.plan, bounds: PLAN_BOUNDS[account.plan] };
}

interface Counted {
  readonly accountId: string;
  readonly kind: Countable;
}

/**
 * Writes one more object of the kind. If the limit is reached, throws `limit_reached` and writes nothing. `counted` is
 * an optional recent count of the objects that still fit. If many still fit, writers do not take turns.
 */
export async function writeWithinLimit<Value>(
  needs: Turns,
  { accountId, kind, counted }: Counted & { readonly counted?: FreeCount | null },
  write: () => Promise<Value>,
): Promise<Value> {
  const free = counted ?? (await readFreeCount(needs, { accountId, kind }));
  requireWithinLimit(free, kind);
  if (hasSpareCapacity(free)) return write();
  return runExclusively(needs, { accountId, kind }, async () => {
    requireWithinLimit(await readFreeCount(needs, { accountId, kind }), kind);
    return write();
  });
}

/**
 * Runs `act` under a lock per account and kind, across all processes. Throws `unavailable` if other callers hold the
 * lock too long.
 */
export async function runExclusively<Value>(
  needs: Turns,
  { accountId, kind }: { readonly accountId: string; readonly kind: string },
  act: () => Promise<Value>,
): Promise<Value> {
  const { idempotency } = needs.stores;
  const owner = needs.randomBytes(OWNER_BYTES).toString('base64url');
  const claim = { id: `room ${accountId} ${kind}`, accountId, owner, fingerprint: '', kept: null };
  const release = () => idempotency.release(accountId, claim);
  const readExpiry = () => needs.clock.now() + HELD_AT_MOST_MS;
  const renewed = {
    everyMs: RENEW_EVERY_MS,
    act: () => idempotency.renew(accountId, { ...claim, expiresAtMs: readExpiry() }),
  };
  return withOptimisticRetry(needs, async () => {
    const expiresAtMs = readExpiry();
    // A claim that failed here may still succeed later in a slow database. The lock is therefore released in the
    // background.
    const held = await idempotency
      .claim(accountId, { ...claim, expiresAtMs })
      .catch((reason: unknown) => {
        void compensateLater(needs.sleep, release);
        throw reason;
      });
    if (held !== 'claimed') return OVERTAKEN;
    try {
      return await repeatWhile(renewed, act);
    } finally {
      await release().catch(() => void compensateLater(needs.sleep, release));
    }
  });
}

interface FreeCount {
  readonly plan: Plan;
  readonly bound: number;
  /**
   * How many more objects fit. Negative if the account has more objects than its plan allows, for example after a
   * downgrade.
   */
  readonly left: number;
}

/** True if so many objects still fit that writers need not take turns. Also true if the account no longer exists. */
export function hasSpareCapacity(free: FreeCount | null): boolean {
  return free === null || free.left > PLENTY;
}

/** Returns how many objects still fit. null for an account that no longer exists. */
export async function readFreeCount(
  needs: Needs,
  { accountId, kind }: Counted,
): Promise<FreeCount | null> {
  const inForce = await readPlan(needs, accountId);
  return inForce === null ? null : countFree(needs, { accountId, kind, inForce });
}

async function countFree(
  needs: Needs,
  { accountId, kind, inForce }: Counted & { readonly inForce: PlanInForce },
): Promise<FreeCount> {
  const bound = inForce.bounds[kind];
  return {
    plan: inForce.plan,
    bound,
    left: bound - (await countObjects(needs, accountId, kind)),
  };
}

/**
 * Returns how many more objects of the kind fit in the plan. null means that the account no longer exists. Throws
 * `limit_reached` when no more objects fit, or when the interval is shorter than the plan allows.
 */
export async function requireWithinPlan(
  needs: Needs,
  { accountId, kind, intervalSeconds }: Counted & { readonly intervalSeconds: number },
): Promise<FreeCount | null> {
  const inForce = await readPlan(needs, accountId);
  if (inForce === null) return null;
  requireRareEnough(inForce, intervalSeconds);
  const free = await countFree(needs, { accountId, kind, inForce });
  requireWithinLimit(free, kind);
  return free;
}

/** Throws `limit_reached` if fewer than `taken` more objects fit. Does nothing if the account no longer exists. */
export function requireWithinLimit(free: FreeCount | null, kind: Countable, taken = 1): void {
  if (free === null || free.left >= taken) return;
  const { plan, bound } = free;
  throw new AppError('limit_reached', `The plan ${plan} allows ${bound} ${kind}.`);
}

/** Throws `limit_reached` when the interval is shorter than the plan allows. */
export async function requireInterval(
  needs: Needs,
  accountId: string,
  intervalSeconds: number,
): Promise<void> {
  const inForce = await readPlan(needs, accountId);
  if (inForce !== null) requireRareEnough(inForce, intervalSeconds);
}

function requireRareEnough({ plan, bounds }: PlanInForce, intervalSeconds: number): void {
  const shortest = bounds.minIntervalSeconds;
  if (intervalSeconds >= shortest) return;
  throw new AppError(
    'limit_reached',
    `The plan ${plan} allows an interval of ${shortest} seconds or more.`,
  );
}

/** Counts the existing objects. People with an open invitation count as members. */
export async function countObjects(
  { stores, clock }: Needs,
  accountId: string,
  kind: Countable,
): Promise<number> {
  switch (kind) {
    case 'monitors':
      return stores.monitors.count(accountId);
    case 'scenarios':
      return stores.scenarios.count(accountId);
    case 'members': {
      const [people, invited] = await Promise.all([
        stores.users.count(accountId),
        stores.invitations.count(accountId, clock.now()),
      ]);
      return people + invited;
    }
  }
}

interface Repeated {
  readonly everyMs: number;
  /** The action to repeat. Errors of the action are ignored, because the action is repeated anyway. */
  readonly act: () => Promise<unknown>;
}

/**
 * Repeats the action while the work runs. Resolves or rejects like the work. No repetition begins after the work has
 * ended.
 */
async function repeatWhile<Value>(
  { everyMs, act }: Repeated,
  work: () => Promise<Value>,
): Promise<Value> {
  const repeating = setInterval(() => void act().catch(() => undefined), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(repeating);
  }
}
