/** Posts on the public status page as HTML: open posts, recent posts, and the posts of a month. */
import type { PostType } from '../../contracts/status-pages';
import type { ShownPost } from '../../services/status-pages/public-posts';
import { escapeHtml } from './escape-html';
import { isolateText, type PageTexts } from './status-page-text';

/** The CSS class that sets the colour of a post. */
const CLASS_OF_TYPE: Readonly<Record<PostType, string>> = {
  incident: 'degraded',
  maintenance: 'maintenance',
};

/** Renders the posts about ongoing events. Empty if there are none. */
export function renderOpenPosts(posts: readonly ShownPost[], texts: PageTexts): string {
  const open = posts.filter(({ isOpen }) => isOpen);
  if (open.length === 0) return '';
  const articles = open.map((post) => renderPost(post, texts)).join('\n');
  return `<section class="posts"><h2>${texts.say('posts.open')}</h2>${articles}</section>`;
}

/**
 * Renders the closed posts, and a link to `month`, the newest month with posts. Empty if no post was ever published.
 */
export function renderPastPosts(
  posts: readonly ShownPost[],
  month: string | null,
  texts: PageTexts,
): string {
  if (month === null) return '';
  const { say } = texts;
  const past = posts.filter(({ isOpen }) => !isOpen);
  const heading = past.length === 0 ? '' : `<h2>${say('posts.past')}</h2>`;
  const articles = past.map((post) => renderPost(post, texts)).join('\n');
  const all = `<p><a href="${month}">${say('posts.by-month')}</a></p>`;
  return `<section class="posts">${heading}${articles}${all}</section>`;
}

export function renderPost(
  { type, title, names, state, isOpen, updates, postMortem }: ShownPost,
  texts: PageTexts,
): string {
  const { say } = texts;
  const colour = isOpen ? CLASS_OF_TYPE[type] : 'up';
  const affects = say('post.affects', { names: names.map(isolateText).join(', ') });
  const affected = names.length === 0 ? '' : `<p class="muted">${affects}</p>`;
  const learned =
    postMortem === null
      ? ''
      : `<div class="update"><p><strong>${say('post.post-mortem')}</strong></p>${markdownBlock(postMortem)}</div>`;
  return `<article class="card post ${isOpen ? colour : ''}"><h3>${isolateText(title)}</h3>
<span class="state ${colour}">${texts.post(state)}</span>${affected}
${learned}${updates.map((update) => updateBlock(update, texts)).join('\n')}</article>`;
}

function updateBlock(update: ShownPost['updates'][number], { post, time }: PageTexts): string {
  const { state, atMs } = update;
  return `<div class="update"><p><strong>${post(state)}</strong> <span class="muted">${time(atMs)}</span></p>
${markdownBlock(update)}</div>`;
}

/** Renders a Markdown text. `dir="auto"` isolates text with another writing direction. */
function markdownBlock({ text, html }: NonNullable<ShownPost['postMortem']>): string {
  return `<div class="text" dir="auto">${html ?? `<p>${escapeHtml(text)}</p>`}</div>`;
}
