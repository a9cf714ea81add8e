/**
 * Sends events to programs, once a minute. If an account has an event webhook, its changes become alerts of kind
 * `event`. Events are found in stored records, so a crash loses nothing, and a repeated pass sends nothing twice.
 * Events that wait for a receiver stay in the database.
 */

import {
  EVENTS_OVERLAP_MS,
  type EventType,
  listChosenEvents,
} from '../../contracts/alerting/alert-kinds';
import type { AlertInput, AlertMessage } from '../../contracts/alerts';
import type { HousekeepingPass } from '../../contracts/housekeeping';
import type { AlertChannel } from '../../models/alerting/alert-channels';
import type {
  Changed,
  ChangePosition,
  ChangeQuery,
  EventSourceStore,
} from '../../models/events/event-sources';
import { runAtPace } from '../../platform/paced';
import type { ReconcileGateway } from '../operations/reconcile-gateway';
import type { Dependencies } from '../ports/dependencies';
import {
  buildIncidentEvents,
  buildMonitorEvents,
  buildRunEvents,
  type ProgramEvent,
} from './change-events';
import { buildDeliveryId, buildHashedId } from './delivery-id';

/** Maximum age of an event that is sent. */
const NEWS_MS = 24 * 3_600_000;
/** Maximum number of deliveries to one channel that are in flight. Each delivery may occupy a slot of the worker. */
const UNDER_WAY_MAX = 100;
const PACE = { perSecond: 50, atOnce: 8 };

export interface EventNeeds extends Pick<Dependencies, 'stores' | 'sleep' | 'clock'> {
  readonly temporal: Pick<ReconcileGateway, 'restoreAlert'>;
}

/**
 * Passes events to Temporal and returns their number. Takes one page from each channel in turn. Throws if Temporal or
 * the database is unavailable. Safe to repeat.
 */
export async function sendEvents(
  needs: EventNeeds,
  { beganAtMs }: Pick<HousekeepingPass, 'beganAtMs'>,
  signal: AbortSignal,
): Promise<number> {
  // Changes have timestamps of the database. Temporal's clock may be ahead of these, so the earlier time is used.
  const atMs = Math.min(beganAtMs, needs.clock.now());
  const channels = await needs.stores.alertChannels.listWithEvents();
  let waiting = channels.map((channel) => sendEventsTo(needs, channel, { atMs, signal }));
  let sent = 0;
  while (waiting.length > 0) {
    const unfinished: typeof waiting = [];
    for (const pages of waiting) {
      const page = await pages.next();
      if (page.done === true) continue;
      sent += page.value;
      unfinished.push(pages);
    }
    waiting = unfinished;
  }
  return sent;
}

interface Pass {
  readonly atMs: number;
  readonly signal: AbortSignal;
}

/**
 * Yields, after each page, the number of its events that were passed to Temporal. Stops at the limit of deliveries in
 * flight. The next pass reads from the same time again, and skips events that were sent.
 */
async function* sendEventsTo(
  needs: EventNeeds,
  channel: AlertChannel,
  { atMs, signal }: Pass,
): AsyncGenerator<number, void> {
  const { stores, temporal, sleep } = needs;
  const { id, accountId, createdAtMs, eventsFromMs = createdAtMs } = channel;
  const newsMs = atMs - NEWS_MS;
  const span = {
    fromMs: Math.max(eventsFromMs - EVENTS_OVERLAP_MS, newsMs),
    // A channel gets no events that are older than the channel.
    oldestMs: Math.max(createdAtMs, newsMs),
  };
  const readName = createNames(needs, accountId);
  const types = listChosenEvents(channel.config);
  for await (const events of readEvents(stores.eventSources, { accountId, types, span })) {
    signal.throwIfAborted();
    const due = await findDue(needs, channel, events);
    if (due.length === 0) continue;
    const underWay = await stores.alerts.countPending(accountId, id, UNDER_WAY_MAX);
    const fitting = due.slice(0, UNDER_WAY_MAX - underWay);
    let sent = 0;
    await runAtPace(fitting, { ...PACE, sleep, signal }, async (event) => {
      const input = buildInput(channel, event, await readName(event));
      if (await temporal.restoreAlert(input)) sent += 1;
    });
    yield sent;
    if (fitting.length < due.length) return;
  }
  await stores.alertChannels.noteEventsSent(accountId, id, atMs);
}

/**
 * Finds the events without a recorded delivery. A delivery in flight has no record yet, but Temporal refuses to start
 * it a second time.
 */
async function findDue(
  { stores }: EventNeeds,
  { id, accountId }: AlertChannel,
  events: readonly ProgramEvent[],
): Promise<readonly ProgramEvent[]> {
  if (events.length === 0) return [];
  const idOf = (event: ProgramEvent): string =>
    buildDeliveryId({ id: hashAlertId(id, event), atMs: event.atMs }, { key: `${id}:0` });
  const recorded = await stores.alerts.findRecorded(accountId, events.map(idOf));
  return events.filter((event) => !recorded.has(idOf(event)));
}

/** Returns the alert id of an event, which is always the same for the same channel. */
function hashAlertId(channelId: string, { type, subjectId, atMs }: ProgramEvent): string {
  return buildHashedId(`${channelId} ${type} ${subjectId} ${atMs}`, atMs);
}

/** Creates a function that looks up the names of monitors and scenarios. Each name is read once. */
function createNames({ stores }: EventNeeds, accountId: string) {
  const known = new Map<string, Promise<string>>();
  return async ({ resourceType, resourceId, subjectName }: ProgramEvent): Promise<string> => {
    if (subjectName !== undefined) return subjectName;
    const store = resourceType === 'monitor' ? stores.monitors : stores.scenarios;
    const name =
      known.get(resourceId) ??
      store.find(accountId, resourceId).then((found) => found?.name ?? 'deleted');
    known.set(resourceId, name);
    return name;
  };
}

function buildInput(
  { id: channelId, accountId }: AlertChannel,
  event: ProgramEvent,
  name: string,
): AlertInput {
  const { type, resourceType, resourceId, atMs, data } = event;
  const alert: AlertMessage = {
    id: hashAlertId(channelId, event),
    kind: 'event',
    accountId,
    incidentId: null,
    resourceType,
    resourceId,
    resourceName: name,
    atMs,
    sinceMs: atMs,
    openedAtMs: null,
    health: 'unknown',
    ends: [],
    cause: null,
    regions: [],
    certificate: null,
    assertion: null,
    entries: [],
    event: { type, data },
  };
  return { v: 1, alert, recipients: { channels: [channelId], targets: [] }, decided: 'send' };
}

const PAGE_SIZE = 100;

interface EventQuery {
  readonly accountId: string;
  readonly types: readonly unknown[];
  readonly span: {
    /** Reads changes since this time. */
    readonly fromMs: number;
    /** Events before this time are left out. */
    readonly oldestMs: number;
  };
}

type ReadPage = (
  accountId: string,
  query: ChangeQuery,
) => Promise<readonly Changed<readonly ProgramEvent[]>[]>;

/** Yields the events page by page. Reads only the collections that the given types need. */
async function* readEvents(
  sources: EventSourceStore,
  { accountId, types, span }: EventQuery,
): AsyncGenerator<readonly ProgramEvent[]> {
  const { fromMs, oldestMs } = span;
  const isWanted = ({ type, atMs }: ProgramEvent): boolean =>
    types.includes(type) && atMs >= oldestMs;
  for (const readPage of createReaders(sources, types)) {
    let after: ChangePosition = { changedAtMs: fromMs - 1, id: '' };
    for (;;) {
      const page = await readPage(accountId, { after, oldestMs, limit: PAGE_SIZE });
      yield page.flatMap(({ item }) => item).filter(isWanted);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_SIZE) break;
      after = last;
    }
  }
}

function createReaders(
  { listRuns, listMonitors, listIncidents }: EventSourceStore,
  types: readonly unknown[],
): readonly ReadPage[] {
  const has = (type: EventType): boolean => types.includes(type);
  const hasIncidents =
    has('incident.opened') || has('incident.acknowledged') || has('incident.resolved');
  return [
    ...(has('run.finished') ? [createReader(listRuns, buildRunEvents)] : []),
    ...(has('monitor.changed') ? [createReader(listMonitors, buildMonitorEvents)] : []),
    ...(hasIncidents ? [createReader(listIncidents, buildIncidentEvents)] : []),
  ];
}

function createReader<Item>(
  list: (accountId: string, query: ChangeQuery) => Promise<readonly Changed<Item | null>[]>,
  toEvents: (item: Item) => readonly ProgramEvent[],
): ReadPage {
  return async (accountId, query) => {
    const found = await list(accountId, query);
    return found.map(({ item, ...position }) => ({
      ...position,
      item: item === null ? [] : toEvents(item),
    }));
  };
}
