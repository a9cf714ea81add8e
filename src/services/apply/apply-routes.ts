/**
 * The alert routes of a set as one object, because their order matters. A set with routes replaces all routes of the
 * account.
 */
import { alertRoutesBody } from '../../schemas/alert-policy';
import { readList, readRecord } from '../../schemas/loose';
import { changedAlertRoutes, findAlertRoutes, replaceAlertRoutes } from '../alerting/alert-routes';
import { readChange } from '../lists/read-change';
import { anyVersion } from '../objects/object-verbs';
import type { ApplyKind, Entry, ObjectPlan, Wish } from './apply-kind';
import type { ApplyNeeds } from './apply-needs';

const KEY = 'alert-routes';
const NAME = 'Alert routes';
const MATCHES_ALL: Entry = { tags: [], groups: [], type: null };

interface Routes {
  readonly accountId: string;
  readonly apply: ApplyNeeds;
}

export function routesKind(accountId: string, apply: ApplyNeeds): ApplyKind {
  const { needs } = apply;
  return {
    list: 'alertRoutes',
    async load() {
      const { routes, managedBy } = await findAlertRoutes(needs, accountId);
      if (routes.length === 0) return [];
      const view = { key: KEY, routes };
      return [{ id: KEY, key: KEY, name: NAME, managedBy: managedBy ?? null, view }];
    },
    plan: (wish) => planRoutes({ accountId, apply }, wish),
    async remove() {
      await replaceAlertRoutes(needs, accountId, { body: { routes: [] }, accept: anyVersion });
    },
    whole: { join: joinRoutes, split: splitRoutes },
    readDefaults: async () => ({}),
  };
}

async function planRoutes(
  { accountId, apply: { needs } }: Routes,
  { entry, existing, set }: Wish,
): Promise<ObjectPlan> {
  const body = readChange(alertRoutesBody, {
    sent: { routes: entry['routes'] },
    stored: existing && { routes: existing.view['routes'] },
  });
  const before = await findAlertRoutes(needs, accountId);
  const { routes } = await changedAlertRoutes(needs, before, body);
  return {
    name: NAME,
    before: existing?.view ?? null,
    after: { key: KEY, routes },
    carryOut: async () => {
      const managedBy = existing === null ? { managedBy: set } : {};
      await replaceAlertRoutes(needs, accountId, { body, accept: anyVersion, ...managedBy });
      return { id: KEY };
    },
  };
}

/** Turns the routes of a set into one entry, or none. */
function joinRoutes(routes: readonly Entry[]): readonly Entry[] {
  return routes.length === 0 ? [] : [{ key: KEY, routes }];
}

/** Turns the entry back into routes, without conditions that match everything. */
function splitRoutes({ routes }: Entry): readonly Entry[] {
  return readList(routes).map((route) => {
    const { match, policy } = readRecord(route);
    const stated = Object.entries(readRecord(match)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(MATCHES_ALL[name]),
    );
    return { match: Object.fromEntries(stated), policy };
  });
}
