/** Renders the HTML around all pages below /docs (head and header), and the sections and the filter of the reference. */
import { escapeHtml } from '../escape-html';
import { LOGO } from '../logo';
import { renderFontPreload } from '../shipped-font';

const PAGES = {
  '/docs': 'Operations',
  '/docs/fields': 'Fields',
  '/v1/openapi.json': 'OpenAPI',
  '/docs/README.md': 'Documents',
} as const;

/** The content security policy of the pages. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface FrameOptions {
  /** URL of the dashboard's font. null means that this process does not serve it. */
  readonly fontUrl: string | null;
}

interface Shell {
  readonly path: keyof typeof PAGES;
  /** As HTML. */
  readonly title: string;
  /** The HTML below the header. */
  readonly body: string;
}

interface Framed extends Omit<Shell, 'body'> {
  readonly intro: string;
  readonly filterLabel: string;
  readonly sections: readonly Section[];
}

/** A section of the page. The filter searches the elements of `body` that have a `data-words` attribute. */
export interface Section {
  readonly anchor: string;
  readonly title: string;
  readonly body: string;
}

export function renderShell({ path, title, body }: Shell, { fontUrl }: FrameOptions): string {
  const pages = Object.entries(PAGES).map(([href, name]) => {
    const current = href === path ? ' aria-current="page"' : '';
    return `<a href="${href}"${current}>${name}</a>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Keepwatch</title>
${renderFontPreload(fontUrl)}<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/">${LOGO} Keepwatch</a>
<nav aria-label="Reference">${pages.join('\n')}</nav>
<label>Theme <select id="theme"><option value="auto">System</option><option value="light">Light</option><option value="dark">Dark</option></select></label>
</header>
${body}
</body>
</html>
`;
}

export function renderFrame(
  { path, title, intro, filterLabel, sections }: Framed,
  options: FrameOptions,
): string {
  const body = `<div class="page">
<details class="side" data-fold open>
<summary>Sections</summary>
<nav aria-label="Sections">
${sections.map(({ anchor, title: name }) => `<a href="#${anchor}">${escapeHtml(name)}</a>`).join('\n')}
</nav>
</details>
<main id="content" tabindex="-1">
<h1>${title}</h1>
<p>${intro}</p>
<label class="filter">${filterLabel} <input type="search" id="filter" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"></label>
<p id="found" role="status"></p>
${sections.map(renderSection).join('\n')}
</main>
</div>`;
  return renderShell({ path, title, body }, options);
}

function renderSection({ anchor, title, body }: Section): string {
  return `<section id="${anchor}" aria-labelledby="${anchor}-title">
<h2 id="${anchor}-title">${escapeHtml(title)}</h2>
${body}
</section>`;
}
