/** The plans of accounts, and their limits. */
export const PLANS = ['free', 'pro', 'growth', 'business'] as const;

/** Maximum number of API keys of an account, without revoked keys. */
export const API_KEYS_MAX = 200;

export type Plan = (typeof PLANS)[number];

/** How many requests one API key may make. Both limits apply. */
export interface KeyLimits {
  readonly perMinute: number;
  /** The limit per day in UTC. */
  readonly perDay: number;
}

export interface PlanBounds {
  readonly monitors: number;
  readonly scenarios: number;
  /** Maximum number of members plus open invitations. */
  readonly members: number;
  /** The shortest interval of a monitor or scenario. */
  readonly minIntervalSeconds: number;
  /** The maximum time for which results are kept. */
  readonly retentionDays: number;
  /** The limits of API keys. null if the plan has no API keys. The dashboard works on every plan. */
  readonly keyLimits: KeyLimits | null;
}

export const PLAN_BOUNDS: Readonly<Record<Plan, PlanBounds>> = {
  free: {
    monitors: 10,
    scenarios: 3,
    members: 2,
    minIntervalSeconds: 60,
    retentionDays: 30,
    keyLimits: null,
  },
  pro: {
    monitors: 100,
    scenarios: 30,
    members: 10,
    minIntervalSeconds: 30,
    retentionDays: 90,
    keyLimits: { perMinute: 60, perDay: 10_000 },
  },
  growth: {
    monitors: 500,
    scenarios: 150,
    members: 50,
    minIntervalSeconds: 10,
    retentionDays: 180,
    keyLimits: { perMinute: 150, perDay: 50_000 },
  },
  business: {
    monitors: 20_000,
    scenarios: 5_000,
    members: 1_000,
    minIntervalSeconds: 10,
    retentionDays: 400,
    keyLimits: { perMinute: 300, perDay: 100_000 },
  },
};
