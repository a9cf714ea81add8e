/**
 * The posts, outages and maintenance of a public status page for readers and machines: as a JSON Feed
 * (https://jsonfeed.org/version/1.1), as Atom (RFC 4287) and as RSS 2.0. Each says the same, and nothing
 * that the page does not show.
 */
import { createHash } from 'node:crypto';
import { formatUtcTime } from '../../domain/text/utc-time';
import type { ShownPost } from '../../services/status-pages/public-posts';
import type {
  PublicMaintenance,
  PublicOutage,
  PublicStatus,
} from '../../services/status-pages/public-status';
import { escapeHtml } from './escape-html';
import { POST_STATE_WORDS } from './status-page-posts';

/** File of a feed → its media type. */
export const FEED_TYPES = {
  'feed.json': 'application/feed+json',
  'feed.atom': 'application/atom+xml',
  'feed.rss': 'application/rss+xml',
} as const;

export type FeedFile = keyof typeof FEED_TYPES;

interface FeedOf {
  /** Of the service, without a slash at its end. */
  readonly publicUrl: string;
  readonly slug: string;
}

const RENDERERS: Readonly<Record<FeedFile, (status: PublicStatus, page: string) => string>> = {
  'feed.json': jsonFeed,
  'feed.atom': atomFeed,
  'feed.rss': rssFeed,
};

/** Newest first. An entry keeps its id while it changes; the time of its change says when it did. */
export function renderStatusFeed(
  file: FeedFile,
  status: PublicStatus,
  { publicUrl, slug }: FeedOf,
): string {
  return RENDERERS[file](status, `${publicUrl}/status/${slug}`);
}

function entriesOf({ posts, outages, maintenance }: PublicStatus, page: string) {
  return [
    ...posts.map((post) => postEntry(post, page)),
    ...outages.map((outage) => outageEntry(outage, page)),
    ...maintenance.map((each) => maintenanceEntry(each, page)),
  ].sort((a, b) => (a.date_published < b.date_published ? 1 : -1));
}

function atomFeed(status: PublicStatus, page: string): string {
  const entries = entriesOf(status, page);
  const [url, title] = [escapeHtml(page), escapeHtml(status.title)];
  const updated = entries.map(({ date_modified: at }) => at).reduce((a, b) => (a > b ? a : b), '');
  const rows = entries.map(
    (entry) => `<entry><id>urn:keepwatch:${entry.id}</id><title>${escapeHtml(entry.title)}</title>
<link href="${url}"/><published>${entry.date_published}</published><updated>${entry.date_modified}</updated>
<content>${escapeHtml(entry.content_text)}</content></entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${url}</id><title>${title}</title>
<author><name>${title}</name></author><link href="${url}"/><link rel="self" href="${url}/feed.atom"/>
<updated>${updated === '' ? textOf(0) : updated}</updated>
${rows.join('\n')}
</feed>
`;
}

function rssFeed(status: PublicStatus, page: string): string {
  const { title, description } = status;
  const url = escapeHtml(page);
  const rows = entriesOf(status, page).map(
    (
      entry,
    ) => `<item><guid isPermaLink="false">${entry.id}</guid><title>${escapeHtml(entry.title)}</title>
<link>${url}</link><pubDate>${new Date(entry.date_published).toUTCString()}</pubDate>
<description>${escapeHtml(entry.content_text)}</description></item>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>${escapeHtml(title)}</title><link>${url}</link>
<description>${escapeHtml(description ?? title)}</description><language>en</language>
${rows.join('\n')}
</channel></rss>
`;
}

function jsonFeed(status: PublicStatus, page: string): string {
  const { title, description, overall, groups } = status;
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
    items: entriesOf(status, page),
  };
  return `${JSON.stringify(feed, null, 2)}\n`;
}

/** Its text is the Markdown of all updates, newest first. */
function postEntry(post: ShownPost, page: string) {
  const { id, type, title, names, state, updates, postMortem, publishedAtMs, changedAtMs } = post;
  const learned = postMortem === null ? [] : [`Post-mortem\n\n${postMortem.text}`];
  const texts = updates.map(
    (update) =>
      `${POST_STATE_WORDS[update.state]}, ${formatUtcTime(update.atMs)}\n\n${update.text}`,
  );
  return {
    id: idOf([page, 'post', id]),
    url: page,
    title: `${title} (${POST_STATE_WORDS[state]})`,
    content_text: [...learned, ...texts].join('\n\n'),
    date_published: textOf(publishedAtMs),
    date_modified: textOf(changedAtMs),
    _keepwatch: {
      kind: 'post',
      type,
      state,
      names,
      updates: updates.map(({ atMs, text, state: of }) => ({ state: of, text, at: textOf(atMs) })),
      postMortem: postMortem?.text ?? null,
    },
  };
}

function outageEntry({ name, fromMs, toMs, count }: PublicOutage, page: string) {
  const times = count === 1 ? '' : ` ${count} times`;
  const since = `${name} has been down since ${formatUtcTime(fromMs)}.`;
  const ended =
    toMs === null
      ? ''
      : `${name} was down${times} from ${formatUtcTime(fromMs)} to ${formatUtcTime(toMs)}.`;
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

/** Published when it was announced: readers hide or misplace what is dated in the future. */
function maintenanceEntry(maintenance: PublicMaintenance, page: string) {
  const { names, fromMs, toMs, announcedAtMs, changedAtMs } = maintenance;
  const title = `Maintenance of ${names.join(', ')}`;
  return {
    id: idOf([page, 'maintenance', fromMs, ...names]),
    url: page,
    title,
    content_text: `${title} from ${formatUtcTime(fromMs)} to ${formatUtcTime(toMs)}.`,
    date_published: textOf(announcedAtMs),
    date_modified: textOf(changedAtMs),
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
