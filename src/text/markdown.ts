/**
 * Renders Markdown of accounts as HTML for outsiders. HTML tags, images and tables are shown as plain text. Only http,
 * https and mailto links are allowed.
 */
import MarkdownIt from 'markdown-it';

const SAFE_LINK = /^(?:https?|mailto):/i;
/** Headings in a post start at h4, because the titles of posts are h3. */
const HEADING = { h1: 'h4', h2: 'h5', h3: 'h6', h4: 'h6', h5: 'h6' } as const;

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
// Tables are disabled because a short text can expand to a large table.
markdown.disable(['image', 'table']);
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
markdown.validateLink = (url) => SAFE_LINK.test(url.trim());
markdown.core.ruler.push('outline', ({ tokens }) => {
  for (const token of tokens)
    if (isHeading(token.tag) && token.type.startsWith('heading_')) token.tag = HEADING[token.tag];
});
markdown.core.ruler.push('foreign_links', ({ tokens }) => {
  for (const { children } of tokens) {
    let isHidden = false;
    for (const token of children ?? []) {
      if (token.type === 'link_open')
        isHidden = !SAFE_LINK.test(String(token.attrGet('href') ?? ''));
      if (token.type === 'link_open') token.attrSet('rel', 'nofollow noopener noreferrer');
      // A link with an empty target is accepted by `validateLink`. Only its text is shown.
      if (token.type === 'link_open' || token.type === 'link_close') token.hidden = isHidden;
    }
  }
});

function isHeading(tag: string): tag is keyof typeof HEADING {
  return Object.hasOwn(HEADING, tag);
}

export function renderMarkdown(text: string): string {
  return markdown.render(text);
}
