/** Reads how much an account's checks use each region. Only the fields that are added up are loaded. */
import type { Models } from '../collections';
import type { MonitorDocument } from '../resources/monitors';
import type { StatusDocument } from '../results/statuses';

/** The checks of an account in one region. */
export interface RegionLoad {
  /** Due checks and runs per minute, from the intervals of active monitors and scenarios. */
  readonly checksPerMinute: number;
  /** When a check was last made in the region. null if the last outcomes of all checks are unknown. */
  readonly lastCheckedAtMs: number | null;
}

export interface RegionLoadStore {
  /** Returns the regions that the account's monitors and scenarios use, by name. */
  readonly find: (accountId: string) => Promise<ReadonlyMap<string, RegionLoad>>;
}

type Planned = Pick<MonitorDocument, 'regions' | 'intervalSeconds'>;
type Checked = Pick<StatusDocument, 'regionsHealth' | 'measured' | 'lastCheckedAtMs'>;

/** The number of documents per response. They are small, so one response is enough for most accounts. */
const BATCH = 5_000;
const PLANNED = { regions: 1, intervalSeconds: 1 } as const;
const CHECKED = {
  'regionsHealth.region': 1,
  'regionsHealth.health': 1,
  'measured.region': 1,
  'measured.slotMs': 1,
  lastCheckedAtMs: 1,
} as const;

export function createRegionLoadStore({
  monitors,
  scenarios,
  statuses,
}: Pick<Models, 'monitors' | 'scenarios' | 'statuses'>): RegionLoadStore {
  return {
    async find(accountId) {
      const active = { accountId, state: 'active' } as const;
      const [ofMonitors, ofScenarios, checked] = await Promise.all([
        monitors.find(active, PLANNED).batchSize(BATCH).lean<Planned[]>(),
        scenarios.find(active, PLANNED).batchSize(BATCH).lean<Planned[]>(),
        statuses.find({ accountId }, CHECKED).batchSize(BATCH).lean<Checked[]>(),
      ]);
      const rates = sumRates([...ofMonitors, ...ofScenarios]);
      const newest = findNewest(checked);
      return new Map(
        [...new Set([...rates.keys(), ...newest.keys()])].map((region) => [
          region,
          {
            checksPerMinute: rates.get(region) ?? 0,
            lastCheckedAtMs: newest.get(region) ?? null,
          },
        ]),
      );
    },
  };
}

function sumRates(planned: readonly Planned[]): ReadonlyMap<string, number> {
  const rates = new Map<string, number>();
  for (const { regions, intervalSeconds } of planned)
    for (const region of regions)
      rates.set(region, (rates.get(region) ?? 0) + 60 / intervalSeconds);
  return rates;
}

/** Finds the time of the newest check in each region. Ignores unknown outcomes, because no probe made those checks. */
function findNewest(checked: readonly Checked[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const { regionsHealth, measured = [], lastCheckedAtMs } of checked)
    for (const { region, health } of regionsHealth) {
      if (health === 'unknown' || health === 'pending') continue;
      const slotMs = measured.find((one) => one.region === region)?.slotMs;
      const atMs = slotMs ?? lastCheckedAtMs ?? 0;
      newest.set(region, Math.max(atMs, newest.get(region) ?? 0));
    }
  return newest;
}
