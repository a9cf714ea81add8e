/**
 * The outages and maintenance of a public status page as a JSON Feed (https://jsonfeed.org/version/1.1),
 * for readers and machines. It says nothing that the page does not show.
 */
import { createHash } from 'node:crypto';
import type {
  PublicMaintenance,
  PublicOutage,
  PublicStatus,
} from '../../services/status-pages/public-status';

export const FEED_TYPE = 'application/feed+json';

interface FeedOf {
  /** Of the service, without a slash at its end. */
  readonly publicUrl: string;
  readonly slug: string;
}

/** Newest first. An entry keeps its id while it changes; `date_modified` says when it did. */
export function renderStatusFeed(status: PublicStatus, { publicUrl, slug }: FeedOf): string {
  const { title, description, overall, groups, outages, maintenance } = status;
  const page = `${publicUrl}/status/${slug}`;
  const entries = [
    ...outages.map((outage) => outageEntry(outage, page)),
    ...maintenance.map((each) => maintenanceEntry(each, page)),
  ].sort((a, b) => (a.date_published < b.date_published ? 1 : -1));
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    ...(description !== null && { description }),
    language: 'en',
    home_page_url: page,
    feed_url: `${page}/feed.json`,
    _keepwatch: {
      overall,
      groups: groups.map(({ name, items }) => ({
        name,
        items: items.map((item) => ({
          name: item.name,
          state: item.state,
          availability: item.availability,
        })),
      })),
    },
    items: entries,
  };
  return `${JSON.stringify(feed, null, 2)}\n`;
}

function outageEntry({ name, fromMs, toMs }: PublicOutage, page: string) {
  const since = `${name} has been down since ${textOf(fromMs)}.`;
  const ended = toMs === null ? '' : `${name} was down from ${textOf(fromMs)} to ${textOf(toMs)}.`;
  return {
    id: idOf([page, 'outage', name, fromMs]),
    url: page,
    title: toMs === null ? `${name} is down` : `${name} was down`,
    content_text: toMs === null ? since : ended,
    date_published: textOf(fromMs),
    date_modified: textOf(toMs ?? fromMs),
    _keepwatch: { kind: 'outage', names: [name], from: textOf(fromMs), to: endOf(toMs) },
  };
}

function maintenanceEntry({ names, fromMs, toMs }: PublicMaintenance, page: string) {
  const title = `Maintenance of ${names.join(', ')}`;
  return {
    id: idOf([page, 'maintenance', fromMs, ...names]),
    url: page,
    title,
    content_text: `${title} from ${textOf(fromMs)} to ${textOf(toMs)}.`,
    date_published: textOf(fromMs),
    date_modified: textOf(fromMs),
    _keepwatch: { kind: 'maintenance', names, from: textOf(fromMs), to: textOf(toMs) },
  };
}

function endOf(ms: number | null): string | null {
  return ms === null ? null : textOf(ms);
}

function textOf(ms: number): string {
  return new Date(ms).toISOString();
}

function idOf(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
