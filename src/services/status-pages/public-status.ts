/**
 * Reads the parts of an account that outsiders may see: the chosen items with their ids, names, states and days, and
 * the times of incidents and maintenance. Never contains URLs, causes, or other ids and names.
 */
import { PUBLIC_ACCESS } from '../../contracts/status-pages';
import { DAY_MS, type TimeSpan } from '../../domain/health/summary';
import { addTimes, computeAvailability, type TimeByState } from '../../domain/health/timeline';
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-windows';
import type { Resource } from '../../models/resources/resource';
import type { StoredStatus } from '../../models/results/statuses';
import type { StatusPage, StatusPageItem } from '../../models/status-pages/status-pages';
import type { StatusPageBody } from '../../schemas/status-pages/status-page';
import { findTypedObject } from '../objects/object-type';
import { newObject } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { findStatuses } from '../resources/find-status';
import { isPausedAt } from '../resources/pause';
import { measureStateTimes } from '../resources/resource-uptime';
import { listPublicMaintenance, type PublicMaintenance } from './public-maintenance';
import { type PublicOutage, readRecentOutages, SHOWN_DAYS } from './public-outages';
import { readNewestPostAt, readPublicPosts, type ShownPost } from './public-posts';
import { type PublicResponseTimes, readResponseTimes } from './response-times';
import { countServiceTime, readServiceTime, type ServiceTime } from './service-time';
import { refuseStrangers, STATUS_PAGES } from './status-pages';

export type PublicState = 'up' | 'degraded' | 'down' | 'maintenance' | 'unknown';

export interface PublicDay {
  readonly startMs: number;
  readonly state: PublicState;
  /** The availability in percent of the observed time. null if nothing was observed. */
  readonly availability: number | null;
  readonly downMs: number;
}

export interface PublicItem extends StatusPageItem {
  readonly state: PublicState;
  /** The availability over all days, in percent. null if nothing was observed. */
  readonly availability: number | null;
  /** The last 90 UTC days, oldest first. */
  readonly days: readonly PublicDay[];
  /** When monitoring began. null if that was before the first day. */
  readonly sinceMs: number | null;
  /** The response times. null if they are hidden, or nothing was measured. */
  readonly responseTimes: PublicResponseTimes | null;
}

export interface PublicGroup {
  readonly name: string;
  readonly items: readonly PublicItem[];
  /** The availability of the items of the group together, over all days. null if nothing was observed. */
  readonly availability: number | null;
}

export interface PublicStatus {
  readonly title: string;
  readonly description: string | null;
  readonly overall: PublicState;
  /** True if the account is suspended. Nothing is checked in that case. */
  readonly isSuspended?: true;
  readonly groups: readonly PublicGroup[];
  /** The availability of all items together, over all days. null if nothing was observed. */
  readonly availability: number | null;
  /** The outages. Open outages come first, then the newest closed outages. */
  readonly outages: readonly PublicOutage[];
  /** Maintenance that is in progress or will begin. The earliest comes first. */
  readonly maintenance: readonly PublicMaintenance[];
  /** Published posts that are open, or changed in the last 14 days. Open posts come first. */
  readonly posts: readonly ShownPost[];
  /** null if no post was published yet. */
  readonly newestPostAtMs: number | null;
  readonly showBadges: boolean;
  readonly showResponseTimes: boolean;
  readonly look: Pick<StatusPage, 'logo' | 'accent' | 'theme' | 'language'>;
  /** The hours that count for availability. null means that all time counts. */
  readonly service: ServiceTime | null;
  readonly readAtMs: number;
}

const OUTAGES_MAX = 50;
/** The states from worst to best. The page as a whole has the worst state of its items. */
const WORST_FIRST: readonly PublicState[] = ['down', 'degraded', 'maintenance', 'up'];

interface Scene {
  readonly needs: Dependencies;
  readonly showResponseTimes: boolean;
  readonly nowMs: number;
  readonly days: readonly TimeSpan[];
  readonly resourceById: ReadonlyMap<string, Resource>;
  readonly statusById: ReadonlyMap<string, StoredStatus>;
  readonly windows: readonly MaintenanceWindow[];
  readonly isSuspended: boolean;
  readonly service: ServiceTime | null;
}

interface Shown {
  readonly item: PublicItem;
  readonly time: TimeByState;
  readonly outages: readonly PublicOutage[];
}

/** Reads the status of a page. A deleted item keeps its name on the page and has an unknown state. */
export async function readPublicStatus(
  needs: Dependencies,
  page: StatusPage,
): Promise<PublicStatus> {
  const chosen = page.groups.flatMap(({ items }) => items);
  const [scene, posts, newestPostAtMs] = await Promise.all([
    readScene(needs, page, chosen),
    readPublicPosts(needs, page),
    readNewestPostAt(needs, page),
  ]);
  const shown: Shown[] = [];
  // Items are read one by one. Otherwise, a large page would delay visitors of other pages.
  for (const item of chosen) shown.push(await showItem(scene, item));
  const shownOf = new Map(shown.map((each) => [each.item.id, each]));
  const { title, description, showBadges, showResponseTimes, logo, accent, theme, language } = page;
  return {
    title,
    description,
    showBadges,
    showResponseTimes,
    look: { logo, accent, theme, language },
    service: scene.service,
    readAtMs: scene.nowMs,
    // While a post describes an open incident, the page is not up, even if all checks pass.
    overall: findWorstState([
      ...shown.map(({ item }) => item.state),
      ...posts.flatMap(({ type, isOpen }) => (type === 'incident' && isOpen ? 'degraded' : [])),
    ]),
    ...(scene.isSuspended && { isSuspended: true as const }),
    availability: jointAvailability(shown),
    groups: page.groups.map(({ name, items }) => {
      const members = items.flatMap(({ id }) => shownOf.get(id) ?? []);
      const availability = jointAvailability(members);
      return { name, availability, items: members.map(({ item }) => item) };
    }),
    outages: shown
      .flatMap(({ outages }) => outages)
      .sort((a, b) => Number(a.toMs !== null) - Number(b.toMs !== null) || b.fromMs - a.fromMs)
      .slice(0, OUTAGES_MAX),
    maintenance: listPublicMaintenance(scene, chosen),
    posts,
    newestPostAtMs,
  };
}

/**
 * Returns an unsaved page as outsiders would see it. The posts come from the stored page `pageId`. Throws the errors
 * that saving the page would throw.
 */
export async function previewStatusPage(
  needs: Dependencies,
  accountId: string,
  { body, pageId }: { readonly body: StatusPageBody; readonly pageId: string | undefined },
): Promise<PublicStatus> {
  const stored =
    pageId === undefined
      ? null
      : await findTypedObject(needs, STATUS_PAGES, { accountId, id: pageId });
  await refuseStrangers(needs, accountId, { body, stored });
  const made = newObject(needs, STATUS_PAGES, accountId);
  const id = stored?.id ?? made.id;
  return readPublicStatus(needs, { ...body, ...made, id, access: PUBLIC_ACCESS, domains: [] });
}

async function readScene(
  needs: Dependencies,
  page: StatusPage,
  chosen: readonly StatusPageItem[],
): Promise<Scene> {
  const { stores, clock } = needs;
  const { accountId, showResponseTimes } = page;
  const query = { ids: chosen.map(({ id }) => id), limit: Math.max(1, chosen.length) };
  const [monitors, scenarios, windows, account] = await Promise.all([
    stores.monitors.list(accountId, { ...query, beforeId: null }),
    stores.scenarios.list(accountId, { ...query, beforeId: null }),
    stores.maintenanceWindows.listAll(accountId),
    stores.accounts.find(accountId),
  ]);
  const resources: readonly Resource[] = [...monitors.items, ...scenarios.items];
  const nowMs = clock.now();
  const today = Math.floor(nowMs / DAY_MS);
  const days = Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const fromMs = (today - SHOWN_DAYS + 1 + index) * DAY_MS;
    return { fromMs, toMs: fromMs + DAY_MS };
  });
  return {
    needs,
    showResponseTimes,
    nowMs,
    windows,
    isSuspended: account?.suspended !== undefined,
    days,
    service: await readServiceTime(needs, page, days),
    resourceById: new Map(resources.map((resource) => [resource.id, resource])),
    statusById: await findStatuses(needs, accountId, resources),
  };
}

async function showItem(scene: Scene, { id, name }: StatusPageItem): Promise<Shown> {
  const { needs, nowMs, days, windows, resourceById, statusById } = scene;
  const resource = resourceById.get(id);
  if (resource === undefined) {
    const empty = days.map(({ fromMs }) => ({ startMs: fromMs, ...measured([]) }));
    const item = { id, name, state: 'unknown', availability: null, days: empty } as const;
    const unmeasured = { ...item, sinceMs: null, responseTimes: null };
    return { item: unmeasured, outages: [], time: addTimes([]) };
  }
  const status = statusById.get(id) ?? null;
  const timeIn = (spans: readonly TimeSpan[]) =>
    measureStateTimes(needs, resource, { status, windows, spans });
  const [times, outages, responseTimes] = await Promise.all([
    scene.service === null ? timeIn(days) : countServiceTime(scene.service, timeIn),
    readRecentOutages(needs, resource.accountId, { id, name }),
    scene.showResponseTimes ? readResponseTimes(needs, resource, status) : null,
  ]);
  const item = {
    id,
    name,
    state: scene.isSuspended ? 'unknown' : findState(resource, status, nowMs),
    sinceMs: resource.createdAtMs > (days[0]?.fromMs ?? 0) ? resource.createdAtMs : null,
    responseTimes,
    availability: measured(times).availability,
    days: times.map((time, index) => ({
      startMs: days[index]?.fromMs ?? 0,
      ...measured([time]),
    })),
  };
  return { item, outages, time: addTimes(times) };
}

function findState(resource: Resource, status: StoredStatus | null, nowMs: number): PublicState {
  if (status === null || isPausedAt(resource, nowMs)) return 'unknown';
  if (status.inMaintenance) return 'maintenance';
  return status.health === 'pending' ? 'unknown' : status.health;
}

function measured(times: readonly TimeByState[]): Omit<PublicDay, 'startMs'> {
  const sum = addTimes(times);
  const state = WORST_FIRST.find((name) => name !== 'unknown' && sum[name] > 0);
  return { availability: computeAvailability(sum), downMs: sum.down, state: state ?? 'unknown' };
}

function jointAvailability(shown: readonly Shown[]): number | null {
  return computeAvailability(addTimes(shown.map(({ time }) => time)));
}

/** Returns the worst state. Returns `unknown` only if no state is known. */
export function findWorstState(states: readonly PublicState[]): PublicState {
  return WORST_FIRST.find((state) => states.includes(state)) ?? 'unknown';
}
