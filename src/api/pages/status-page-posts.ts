/** Posts on the public status page as HTML: the open ones, those of the last days, and those of a month. */
import type { PostState, PostType } from '../../contracts/status-pages';
import type { ShownPost } from '../../services/status-pages/public-posts';
import { escapeHtml } from './escape-html';
import { people, timeText } from './status-page-text';

export const POST_STATE_WORDS: Readonly<Record<PostState, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  scheduled: 'Scheduled',
  started: 'In progress',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

/** As the page colours them. */
const CLASS_OF_TYPE: Readonly<Record<PostType, string>> = {
  incident: 'degraded',
  maintenance: 'maintenance',
};

/** What people have to know now; nothing when all is over. */
export function openPosts(posts: readonly ShownPost[]): string {
  const open = posts.filter(({ isOpen }) => isOpen);
  if (open.length === 0) return '';
  return `<section class="posts"><h2>Announcements</h2>${open.map(postArticle).join('\n')}</section>`;
}

/** `months` leads to all of them; null: there is no such page. */
export function pastPosts(posts: readonly ShownPost[], months: string | null): string {
  const past = posts.filter(({ isOpen }) => !isOpen);
  const heading = past.length === 0 ? '' : '<h2>Past announcements</h2>';
  const all = months === null ? '' : `<p><a href="${months}">Announcements by month</a></p>`;
  return `<section class="posts">${heading}${past.map(postArticle).join('\n')}${all}</section>`;
}

export function postArticle({ type, title, names, state, isOpen, updates, postMortem }: ShownPost) {
  const colour = isOpen ? CLASS_OF_TYPE[type] : 'up';
  const affected =
    names.length === 0 ? '' : `<p class="muted">Affects ${names.map(people).join(', ')}</p>`;
  const learned =
    postMortem === null
      ? ''
      : `<div class="update"><p><strong>Post-mortem</strong></p>${markdownBlock(postMortem)}</div>`;
  return `<article class="card post ${isOpen ? colour : ''}"><h3>${people(title)}</h3>
<span class="state ${colour}">${POST_STATE_WORDS[state]}</span>${affected}
${learned}${updates.map(updateBlock).join('\n')}</article>`;
}

function updateBlock(update: ShownPost['updates'][number]): string {
  const { state, atMs } = update;
  const word = POST_STATE_WORDS[state];
  return `<div class="update"><p><strong>${word}</strong> <span class="muted">${timeText(atMs)}</span></p>
${markdownBlock(update)}</div>`;
}

/** Text of another direction stays apart. */
function markdownBlock({ text, html }: NonNullable<ShownPost['postMortem']>): string {
  return `<div class="text" dir="auto">${html ?? `<p>${escapeHtml(text)}</p>`}</div>`;
}
