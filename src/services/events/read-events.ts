/** The events of the changes in an account, page by page. */
import type { EventType } from '../../contracts/alerting/alert-kinds';
import type {
  Changed,
  ChangePosition,
  ChangeQuery,
  EventSourceStore,
} from '../../models/events/event-sources';
import {
  buildIncidentEvents,
  buildMonitorEvents,
  buildRunEvents,
  type ProgramEvent,
} from './events-of-changes';

const PAGE_SIZE = 100;

interface EventQuery {
  readonly accountId: string;
  readonly types: readonly unknown[];
  readonly span: {
    /** Reads changes since this time. */
    readonly fromMs: number;
    /** Leaves out older events. */
    readonly oldestMs: number;
  };
}

type ReadPage = (
  accountId: string,
  query: ChangeQuery,
) => Promise<readonly Changed<readonly ProgramEvent[]>[]>;

/** Reads only the collections that the given types need. */
export async function* readEvents(
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
