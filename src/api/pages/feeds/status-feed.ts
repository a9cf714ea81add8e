/**
 * The posts, outages and maintenance of a public status page as JSON Feed (https://jsonfeed.org/version/1.1), Atom (RFC
 * 4287) and RSS 2.0, all with the same content.
 */
import type { PublicMaintenance } from '../../../services/status-pages/public-maintenance';
import type { PublicOutage } from '../../../services/status-pages/public-outages';
import type { ShownPost } from '../../../services/status-pages/public-posts';
import type { PublicStatus } from '../../../services/status-pages/public-status';
import { escapeHtml } from '../escape-html';
import { hashId } from '../hash-id';
import { getTexts, type PageTexts, toShownSpan } from '../status-page-text';

/** Maps the file name of a feed to its media type. */
export const FEED_TYPES = {
  'feed.json': 'application/feed+json',
  'feed.atom': 'application/atom+xml',
  'feed.rss': 'application/rss+xml',
} as const;

export type FeedFile = keyof typeof FEED_TYPES;

interface FeedOf {
  /** Public URL of the page, without a trailing slash. */
  readonly url: string;
  /** The prefix of entry ids. It is the same for every host of the page, so feed readers recognise the entries. */
  readonly id: string;
}

const RENDERERS: Readonly<Record<FeedFile, (status: PublicStatus, page: FeedOf) => string>> = {
  'feed.json': jsonFeed,
  'feed.atom': atomFeed,
  'feed.rss': rssFeed,
};

/** Renders the feed, newest entry first. An entry keeps its id when it changes. */
export function renderStatusFeed(file: FeedFile, status: PublicStatus, page: FeedOf): string {
  return RENDERERS[file](status, page);
}

function listEntries({ posts, outages, maintenance, look }: PublicStatus, page: FeedOf) {
  const texts = getTexts(look.language);
  return [
    ...posts.map((post) => postEntry(post, page, texts)),
    ...outages.map((outage) => outageEntry(outage, page, texts)),
    ...maintenance.map((each) => maintenanceEntry(each, page, texts)),
  ].sort((a, b) => (a.date_published < b.date_published ? 1 : -1));
}

function atomFeed(status: PublicStatus, page: FeedOf): string {
  const entries = listEntries(status, page);
  const [url, title] = [escapeHtml(page.url), escapeHtml(status.title)];
  const updated = entries.map(({ date_modified: at }) => at).reduce((a, b) => (a > b ? a : b), '');
  const rows = entries.map(
    (entry) => `<entry><id>urn:keepwatch:${entry.id}</id><title>${escapeHtml(entry.title)}</title>
<link href="${url}"/><published>${entry.date_published}</published><updated>${entry.date_modified}</updated>
<content>${escapeHtml(entry.content_text)}</content></entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${escapeHtml(page.id)}</id><title>${title}</title>
<author><name>${title}</name></author><link href="${url}"/><link rel="self" href="${url}/feed.atom"/>
<updated>${updated === '' ? formatInstant(0) : updated}</updated>
${rows.join('\n')}
</feed>
`;
}

function rssFeed(status: PublicStatus, page: FeedOf): string {
  const { title, description, look } = status;
  const url = escapeHtml(page.url);
  const rows = listEntries(status, page).map(
    (
      entry,
    ) => `<item><guid isPermaLink="false">${entry.id}</guid><title>${escapeHtml(entry.title)}</title>
<link>${url}</link><pubDate>${new Date(entry.date_published).toUTCString()}</pubDate>
<description>${escapeHtml(entry.content_text)}</description></item>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>${escapeHtml(title)}</title><link>${url}</link>
<description>${escapeHtml(description ?? title)}</description><language>${look.language}</language>
${rows.join('\n')}
</channel></rss>
`;
}

function jsonFeed(status: PublicStatus, page: FeedOf): string {
  const { title, description, overall, groups, look } = status;
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    ...(description !== null && { description }),
    language: look.language,
    home_page_url: page.url,
    feed_url: `${page.url}/feed.json`,
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
    items: listEntries(status, page),
  };
  return `${JSON.stringify(feed, null, 2)}\n`;
}

/**
 * Builds the entry of a post. Its text is Markdown: the post-mortem, if there is one, then all updates, newest first.
 */
function postEntry(post: ShownPost, page: FeedOf, texts: PageTexts) {
  const { id, type, title, names, state, updates, postMortem, publishedAtMs, changedAtMs } = post;
  const learned =
    postMortem === null ? [] : [`${texts.say('post.post-mortem')}\n\n${postMortem.text}`];
  const written = updates.map(
    (update) => `${texts.post(update.state)}, ${texts.plainTime(update.atMs)}\n\n${update.text}`,
  );
  return {
    id: hashId([page.id, 'post', id]),
    url: page.url,
    title: `${title} (${texts.post(state)})`,
    content_text: [...learned, ...written].join('\n\n'),
    date_published: formatInstant(publishedAtMs),
    date_modified: formatInstant(changedAtMs),
    _keepwatch: {
      kind: 'post',
      type,
      state,
      names,
      updates: updates.map(({ atMs, text, state: of }) => ({
        state: of,
        text,
        at: formatInstant(atMs),
      })),
      postMortem: postMortem?.text ?? null,
    },
  };
}

function outageEntry(
  { name, fromMs, toMs, lastFromMs, count }: PublicOutage,
  page: FeedOf,
  { say, plainTime, earlierOutages }: PageTexts,
) {
  const from = plainTime(fromMs);
  const earlier = count === 1 ? '' : ` (${earlierOutages(count - 1, from)})`;
  const key = count === 1 ? 'outage.from-to' : 'outage.from-to-many';
  const text =
    toMs === null
      ? `${say('outage.since', { name, since: plainTime(lastFromMs) })}${earlier}`
      : say(key, { name, count, from, to: plainTime(toShownSpan(fromMs, toMs).toMs) });
  return {
    id: hashId([page.id, 'outage', name, fromMs]),
    url: page.url,
    title: say(toMs === null ? 'outage.is-down' : 'outage.was-down', { name }),
    content_text: text,
    date_published: formatInstant(fromMs),
    date_modified: formatInstant(toMs ?? fromMs),
    _keepwatch: { kind: 'outage', names: [name], from: formatInstant(fromMs), to: formatEnd(toMs) },
  };
}

/** The entry has the date of the announcement, because feed readers misplace entries with a date in the future. */
function maintenanceEntry(
  maintenance: PublicMaintenance,
  page: FeedOf,
  { say, plainTime }: PageTexts,
) {
  const { names, fromMs, toMs, announcedAtMs, changedAtMs } = maintenance;
  const named = names.join(', ');
  const [from, to] = [plainTime(fromMs), plainTime(toMs)];
  return {
    id: hashId([page.id, 'maintenance', fromMs, ...names]),
    url: page.url,
    title: say('maintenance.of', { names: named }),
    content_text: say('maintenance.of-at', { names: named, from, to }),
    date_published: formatInstant(announcedAtMs),
    date_modified: formatInstant(changedAtMs),
    _keepwatch: {
      kind: 'maintenance',
      names,
      from: formatInstant(fromMs),
      to: formatInstant(toMs),
    },
  };
}

function formatEnd(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms);
}

function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}
