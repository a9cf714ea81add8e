/** The plans an account can be on. It must not know what a plan costs or who is on it. */
export const PLANS = ['free', 'pro', 'growth', 'business'] as const;

export type Plan = (typeof PLANS)[number];

/** True when the plan may use API keys; the dashboard works on every plan. */
export function allowsApiKeys(plan: Plan): boolean {
  return plan !== 'free';
}
