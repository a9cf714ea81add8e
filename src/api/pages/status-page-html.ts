/**
 * The public status page as HTML that needs no script. All it shows comes from PublicStatus; what
 * people wrote is escaped, and set apart from the direction of the text around it.
 */
import { createHash } from 'node:crypto';
import type {
  PublicDay,
  PublicItem,
  PublicMaintenance,
  PublicOutage,
  PublicState,
  PublicStatus,
} from '../../services/status-pages/public-status';
import { escapeHtml } from './escape-html';
import { STATUS_PAGE_STYLE } from './status-page-style';

const STYLE_HASH = createHash('sha256').update(STATUS_PAGE_STYLE).digest('base64');

/** Nothing but the one style of the page. */
export const STATUS_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const OVERALL: Readonly<Record<PublicState, string>> = {
  up: 'All systems operational',
  degraded: 'Degraded performance',
  down: 'Partial outage',
  maintenance: 'Maintenance in progress',
  unknown: 'No data yet',
};

export const STATE_WORDS: Readonly<Record<PublicState, string>> = {
  up: 'Up',
  degraded: 'Degraded',
  down: 'Down',
  maintenance: 'Maintenance',
  unknown: 'Unknown',
};

const DAY_WIDTH = 4;
const STRIP_HEIGHT = 28;

/** The slug is one of ours: lower-case letters, digits and hyphens. */
export function renderStatusPage(status: PublicStatus, nowMs: number, slug: string): string {
  const { title, description, overall, groups, outages, maintenance } = status;
  const about = description === null ? '' : `<p class="about">${people(description)}</p>`;
  return documentOf(
    title,
    `<header><h1>${people(title)}</h1>${about}
<p class="overall ${overall}" role="status">${OVERALL[overall]}</p></header>
${maintenanceSection(maintenance, nowMs)}
${groups.map(({ name, items }) => groupSection(name, items)).join('\n')}
${outageSection(outages)}`,
    `<link rel="alternate" type="application/feed+json" href="${slug}/feed.json">`,
  );
}

/** The same for pages that are off, and for those that never were. */
export function renderNoStatusPage(): string {
  return documentOf('Not found', '<h1>Page not found</h1>');
}

function documentOf(title: string, main: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>${head}
<style>${STATUS_PAGE_STYLE}</style>
</head>
<body>
<main>
${main}
</main>
<footer>Times are UTC · Keepwatch</footer>
</body>
</html>
`;
}

function groupSection(name: string, items: readonly PublicItem[]): string {
  return `<section><h2>${people(name)}</h2><ul class="items">
${items.map(itemRow).join('\n')}
</ul></section>`;
}

function itemRow({ name, state, availability, days }: PublicItem): string {
  const share = availability === null ? 'No data yet' : `${percent(availability)} in 90 days`;
  const bad = days.filter((day) => day.state === 'down').length;
  const downDays = bad === 1 ? '1 day with an outage' : `${bad} days with outages`;
  return `<li><h3>${people(name)}</h3><span class="state ${state}">${STATE_WORDS[state]}</span>
${strip(days, `Last 90 days: ${share}, ${downDays}`)}
<p class="share">${share}</p></li>`;
}

/** One bar a day, oldest first; its title tells the day. */
function strip(days: readonly PublicDay[], label: string): string {
  const bars = days.map(({ startMs, state, availability }, index) => {
    const words = availability === null ? STATE_WORDS[state] : percent(availability);
    const title = `<title>${dayText(startMs)}: ${words}</title>`;
    return `<rect class="${state}" x="${index * DAY_WIDTH}" width="3" height="${STRIP_HEIGHT}">${title}</rect>`;
  });
  const width = days.length * DAY_WIDTH - 1;
  return `<svg class="strip" viewBox="0 0 ${width} ${STRIP_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">${bars.join('')}</svg>`;
}

function maintenanceSection(all: readonly PublicMaintenance[], nowMs: number): string {
  if (all.length === 0) return '';
  const rows = all.map(({ names, fromMs, toMs }) => {
    const word = fromMs <= nowMs ? 'In progress' : 'Scheduled';
    return `<li><strong>${word}</strong> ${span(fromMs, toMs)}<br>${names.map(people).join(', ')}</li>`;
  });
  return `<section><h2>Maintenance</h2><ul>${rows.join('\n')}</ul></section>`;
}

function outageSection(all: readonly PublicOutage[]): string {
  if (all.length === 0)
    return '<section><h2>Incidents</h2><p>No incidents in the last 14 days.</p></section>';
  const rows = all.map(({ name, fromMs, toMs }) => {
    const words =
      toMs === null
        ? `is <strong class="down">down</strong> since ${time(fromMs)}`
        : `was down, ${span(fromMs, toMs)} (${lengthText(toMs - fromMs)})`;
    return `<li>${people(name)} ${words}</li>`;
  });
  return `<section><h2>Incidents</h2><ul>${rows.join('\n')}</ul></section>`;
}

/** Set apart, so that letters of another direction do not turn what is around them. */
function people(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

function span(fromMs: number, toMs: number): string {
  return `${time(fromMs)} to ${time(toMs)}`;
}

function time(atMs: number): string {
  const instant = new Date(atMs).toISOString();
  return `<time datetime="${instant}">${instant.slice(0, 16).replace('T', ' ')}</time>`;
}

function dayText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Never rounded up to 100 while something was down. */
export function percent(share: number): string {
  return `${(Math.floor(share * 1_000) / 1_000).toFixed(3)} %`;
}

function lengthText(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}
