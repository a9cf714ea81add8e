/** Renders the HTML around all pages of the reference: head, navigation and filter. */
import { escapeHtml } from '../escape-html';
import { MARK } from '../mark';
import { fontPreload } from '../shipped-font';

const PAGES = { '/docs': 'Operations', '/docs/fields': 'Fields' } as const;

export interface FrameOptions {
  /** URL of the dashboard's font. null means that this process does not serve it. */
  readonly fontUrl: string | null;
}

interface Framed {
  readonly path: keyof typeof PAGES;
  readonly title: string;
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

export function renderFrame(
  { path, title, intro, filterLabel, sections }: Framed,
  { fontUrl }: FrameOptions,
): string {
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
${fontPreload(fontUrl)}<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/">${MARK} Keepwatch</a>
<nav aria-label="Reference">${pages.join('\n')}
<a href="/v1/openapi.json">OpenAPI</a>
<a href="/docs/README.md">Guides</a></nav>
<label>Theme <select id="theme"><option value="auto">System</option><option value="light">Light</option><option value="dark">Dark</option></select></label>
</header>
<div class="page">
<nav aria-label="Sections" class="sections">
${sections.map(({ anchor, title: name }) => `<a href="#${anchor}">${escapeHtml(name)}</a>`).join('\n')}
</nav>
<main id="content" tabindex="-1">
<h1>${title}</h1>
<p>${intro}</p>
<label class="filter">${filterLabel} <input type="search" id="filter" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"></label>
<p id="found" role="status"></p>
${sections.map(renderSection).join('\n')}
</main>
</div>
</body>
</html>
`;
}

function renderSection({ anchor, title, body }: Section): string {
  return `<section id="${anchor}" aria-labelledby="${anchor}-title">
<h2 id="${anchor}-title">${escapeHtml(title)}</h2>
${body}
</section>`;
}
