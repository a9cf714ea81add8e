/** Posts on the public status page as HTML: the open ones, those of the last days, and those of a month. */
import type { PostState, PostType } from '../../contracts/status-pages';
import type { PublicPost } from '../../domain/status-pages/post';
import { renderMarkdown } from './post-markdown';
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

/** Many visitors see what was read once; it is rendered once, too. */
const rendered = new WeakMap<PublicPost, string>();

/** What people have to know now; nothing when all is over. */
export function openPosts(posts: readonly PublicPost[]): string {
  const open = posts.filter(({ isOpen }) => isOpen);
  if (open.length === 0) return '';
  return `<section class="posts"><h2>Announcements</h2>${open.map(postArticle).join('\n')}</section>`;
}

/** `months` leads to all of them. */
export function pastPosts(posts: readonly PublicPost[], months: string): string {
  const past = posts.filter(({ isOpen }) => !isOpen);
  const none = past.length === 0 ? '<p>No announcements in the last 14 days.</p>' : '';
  return `<section class="posts"><h2>Past announcements</h2>${none}${past.map(postArticle).join('\n')}
<p><a href="${months}">Announcements by month</a></p></section>`;
}

export function postArticle(post: PublicPost): string {
  const known = rendered.get(post);
  if (known !== undefined) return known;
  const html = renderArticle(post);
  rendered.set(post, html);
  return html;
}

function renderArticle({ type, title, names, state, isOpen, updates, postMortem }: PublicPost) {
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

function updateBlock({ state, text, atMs }: PublicPost['updates'][number]): string {
  const word = POST_STATE_WORDS[state];
  return `<div class="update"><p><strong>${word}</strong> <span class="muted">${timeText(atMs)}</span></p>
${markdownBlock(text)}</div>`;
}

/** Text of another direction stays apart. */
function markdownBlock(text: string): string {
  return `<div class="text" dir="auto">${renderMarkdown(text)}</div>`;
}
