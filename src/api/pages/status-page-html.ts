/**
 * The public status page as HTML that needs no script. All it shows comes from PublicStatus; what
 * people wrote is escaped, and set apart from the direction of the text around it.
 */
import { createHash } from 'node:crypto';
import type { StatusPageTheme } from '../../contracts/status-pages';
import type { LedgerResponse } from '../../schemas/responses/ledger';
import {
  type PublicMonth,
  type ShownPost,
  startOfMonth,
} from '../../services/status-pages/public-posts';
import type {
  PublicItem,
  PublicMaintenance,
  PublicOutage,
  PublicStatus,
} from '../../services/status-pages/public-status';
import { escapeHtml } from './escape-html';
import { fontFace, fontPreload } from './shipped-font';
import { renderDays, renderLegend } from './status-page-days';
import { ledgerSection, serviceLine } from './status-page-ledger';
import { openPosts, pastPosts, postArticle } from './status-page-posts';
import { statusPageStyle } from './status-page-style';
import {
  lengthText,
  monthText,
  OVERALL_WORDS,
  people,
  STATE_WORDS,
  timeSpan,
  timeText,
} from './status-page-text';

/** HTML with the only policy under which it may be shown. */
export interface RenderedPage {
  readonly html: string;
  readonly policy: string;
}

interface PageOptions {
  readonly nowMs: number;
  /** Of ours: lower-case letters, digits and hyphens. */
  readonly slug: string;
  /** Only members of the account are shown it. */
  readonly isDraft?: boolean;
  /** The dashboard's font; null: that of the system. */
  readonly fontUrl?: string | null;
  /** What became of the checks of the account; null: the page does not say. */
  readonly ledger?: LedgerResponse | null;
}

const PLAIN_LOOK: PublicStatus['look'] = { logo: null, accent: null, theme: 'auto' };
const DRAFT =
  '<p class="draft"><strong>Draft</strong>: only members of your account can see this page.</p>';

export function renderStatusPage(
  status: PublicStatus,
  { nowMs, slug, isDraft = false, fontUrl = null, ledger = null }: PageOptions,
): RenderedPage {
  const { title, description, overall, groups, outages, maintenance, posts, look, service } =
    status;
  const about = description === null ? '' : `<p class="about">${people(description)}</p>`;
  const sections = groups.map(({ name, items }, at) => groupSection(name, items, at));
  return documentOf(look, {
    title,
    fontUrl,
    main: `<header>${isDraft ? DRAFT : ''}${logoOf(look.logo)}<h1>${people(title)}</h1>${about}
<p class="overall ${overall}" role="status">${OVERALL_WORDS[overall]}</p>${serviceLine(service)}</header>
${openPosts(posts)}
${maintenanceSection(maintenance, nowMs)}
${sections.join('\n')}
${groups.length === 0 ? '' : renderLegend()}
${outageSection(outages)}
${ledgerSection(ledger)}
${pastPosts(posts, isDraft ? null : `${slug}/history/${monthName(nowMs)}`)}`,
    head: FEEDS.map(
      ({ type, file, name }) =>
        `<link rel="alternate" type="${type}" title="${name}" href="${slug}/${file}">`,
    ).join(''),
    foot: FEEDS.map(({ file, name }) => `<a href="${slug}/${file}">${name}</a>`).join(' · '),
  });
}

type PageNames = Pick<PublicStatus, 'title' | 'look'>;

/** The posts of one month; the way back and to the months around it. */
export function renderStatusMonth(
  { title, look }: PageNames,
  { posts, startMs, hasEarlier, hasLater }: PublicMonth,
  { slug, fontUrl }: { readonly slug: string; readonly fontUrl: string | null },
): RenderedPage {
  const month = monthText(startMs);
  const to = (is: boolean, atMs: number) =>
    is ? `<a href="${monthName(atMs)}">${monthText(atMs)}</a>` : '<span></span>';
  const none = posts.length === 0 ? '<p>No announcements in this month.</p>' : '';
  return documentOf(look, {
    title: `${title}, ${month}`,
    fontUrl,
    main: `<header>${logoOf(look.logo)}<h1><a href="../../${slug}">${people(title)}</a></h1></header>
<section class="posts"><h2>Announcements in ${month}</h2>${none}${posts.map(postArticle).join('\n')}
<nav class="months" aria-label="Months">${to(hasEarlier, startOfMonth(startMs, -1))}${to(hasLater, startOfMonth(startMs, 1))}</nav></section>`,
  });
}

/** One post in the look of its page. */
export function renderPostPreview({
  post,
  page: { title, logo, accent, theme },
}: {
  readonly post: ShownPost;
  readonly page: PublicStatus['look'] & { readonly title: string };
}): RenderedPage {
  const main = `<section class="posts">${postArticle(post)}</section>`;
  return documentOf({ logo, accent, theme }, { title, main, isSmall: true });
}

/** `2026-01` */
function monthName(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}

/** A few lines for frames of other sites. */
export function renderStatusEmbed(status: PublicStatus, slug: string): RenderedPage {
  const { title, overall, groups, look } = status;
  const rows = groups.flatMap(({ items }) => items.map(embedRow));
  const page = documentOf(look, {
    title,
    isSmall: true,
    main: `<h1><a href="../${slug}" target="_blank" rel="noopener">${people(title)}</a></h1>
<p class="overall ${overall}" role="status">${OVERALL_WORDS[overall]}</p>
<ul>${rows.join('\n')}</ul>`,
  });
  return { ...page, policy: page.policy.replace("frame-ancestors 'none'", 'frame-ancestors *') };
}

/** The same for pages that are off, and for those that never were. */
export function renderNoStatusPage(fontUrl: string | null): RenderedPage {
  const main = '<h1>Page not found</h1>';
  return documentOf(PLAIN_LOOK, { title: 'Not found', main, fontUrl });
}

const FEEDS = [
  { type: 'application/rss+xml', file: 'feed.rss', name: 'RSS' },
  { type: 'application/atom+xml', file: 'feed.atom', name: 'Atom' },
  { type: 'application/feed+json', file: 'feed.json', name: 'JSON Feed' },
] as const;

interface Parts {
  readonly title: string;
  readonly main: string;
  readonly head?: string;
  readonly foot?: string;
  readonly isSmall?: boolean;
  readonly fontUrl?: string | null;
}

const SCHEMES: Readonly<Record<StatusPageTheme, string>> = {
  auto: 'light dark',
  light: 'light',
  dark: 'dark',
};

function documentOf(
  { theme, accent, logo }: PublicStatus['look'],
  { title, main, head = '', foot = '', isSmall = false, fontUrl = null }: Parts,
): RenderedPage {
  const style = fontFace(fontUrl) + statusPageStyle(theme, accent);
  const words = [...(foot === '' ? [] : [`Subscribe: ${foot}`]), 'Times are UTC', 'Keepwatch'];
  const footer = isSmall ? '' : `\n<footer>${words.join(' · ')}</footer>`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${SCHEMES[theme]}">
<title>${escapeHtml(title)}</title>${head}
${fontPreload(fontUrl)}<style>${style}</style>
</head>
<body>
<div class="page${isSmall ? ' small' : ''}">
<main>
${main}
</main>${footer}
</div>
</body>
</html>
`;
  const loaded = [
    ...(logo === null || isSmall ? [] : ['img-src data:']),
    ...(fontUrl === null ? [] : ["font-src 'self'"]),
  ];
  return { html, policy: policyOf(style, loaded) };
}

/** Nothing but the one style of the page, its own logo and our font. */
function policyOf(style: string, loaded: readonly string[]): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    ...loaded,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The title says whose it is. */
function logoOf(logo: string | null): string {
  return logo === null ? '' : `<img class="logo" src="${escapeHtml(logo)}" alt="">`;
}

function groupSection(name: string, items: readonly PublicItem[], at: number): string {
  return `<section><h2>${people(name)}</h2><ul class="items card">
${items.map((item, index) => itemRow(item, `d${at}-${index}`)).join('\n')}
</ul></section>`;
}

function itemRow(item: PublicItem, group: string): string {
  const { name, state } = item;
  return `<li><h3>${people(name)}</h3><span class="state ${state}">${STATE_WORDS[state]}</span>
${renderDays(item, group)}</li>`;
}

function embedRow({ name, state }: PublicItem): string {
  return `<li>${people(name)}<span class="state ${state}">${STATE_WORDS[state]}</span></li>`;
}

function maintenanceSection(all: readonly PublicMaintenance[], nowMs: number): string {
  if (all.length === 0) return '';
  const rows = all.map(({ names, fromMs, toMs }) => {
    const word = fromMs <= nowMs ? 'In progress' : 'Scheduled';
    return `<li><strong>${word}</strong> ${timeSpan(fromMs, toMs)}<br>${names.map(people).join(', ')}</li>`;
  });
  return `<section><h2>Maintenance</h2><ul class="card">${rows.join('\n')}</ul></section>`;
}

function outageSection(all: readonly PublicOutage[]): string {
  if (all.length === 0)
    return '<section><h2>Incidents</h2><p>No incidents in the last 14 days.</p></section>';
  const rows = all.map((outage) => `<li>${outageWords(outage)}</li>`);
  return `<section><h2>Incidents</h2><ul class="card">${rows.join('\n')}</ul></section>`;
}

function outageWords({ name, fromMs, toMs, count, downMs }: PublicOutage): string {
  const times = count === 1 ? '' : ` ${count} times`;
  if (toMs === null) {
    const again = count === 1 ? '' : `, ${count} outages`;
    return `${people(name)} has been <strong class="down">down</strong> since ${timeText(fromMs)}${again}`;
  }
  const total = count === 1 ? lengthText(downMs) : `${lengthText(downMs)} in total`;
  return `${people(name)} was down${times}, ${timeSpan(fromMs, toMs)} (${total})`;
}
