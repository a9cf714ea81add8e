/** The frame of public status pages: head, style, footer, and the content security policy of the page. */
import { createHash } from 'node:crypto';
import type { StatusPageTheme } from '../../contracts/status-pages';
import type { PublicStatus } from '../../services/status-pages/public-status';
import { escapeHtml } from './escape-html';
import { renderFontFace, renderFontPreload } from './shipped-font';
import { TIMES_SCRIPT } from './status-page-script';
import { renderStatusPageStyle } from './status-page-style';
import { getTexts } from './status-page-text';

/** HTML, and the content security policy with which it must be served. */
export interface RenderedPage {
  readonly html: string;
  readonly policy: string;
}

export type Look = PublicStatus['look'];

export const PLAIN_LOOK: Look = { logo: null, accent: null, theme: 'auto', language: 'en' };

interface Parts {
  readonly title: string;
  readonly main: string;
  readonly head?: string;
  readonly isSmall?: boolean;
  readonly fontUrl?: string | null;
  /** True means that a script shows times in the reader's time zone. */
  readonly hasScript?: boolean;
  readonly formStyle?: string;
}

const SCHEMES: Readonly<Record<StatusPageTheme, string>> = {
  auto: 'light dark',
  light: 'light',
  dark: 'dark',
};

export function renderDocument(
  { theme, accent, logo, language }: Look,
  parts: Parts,
): RenderedPage {
  const { title, main, head = '', isSmall = false, fontUrl = null } = parts;
  const { hasScript = false, formStyle } = parts;
  const style = renderFontFace(fontUrl) + renderStatusPageStyle(theme, accent) + (formStyle ?? '');
  const { say } = getTexts(language);
  const zone = `<span data-local="${say('time.local')}">${say('time.utc')}</span>`;
  const footer = isSmall ? '' : `\n<footer>${zone} · Keepwatch</footer>`;
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${SCHEMES[theme]}">
<title>${escapeHtml(title)}</title>${head}
${renderFontPreload(fontUrl)}<style>${style}</style>${hasScript ? `<script>${TIMES_SCRIPT}</script>` : ''}${isSmall ? '' : renderIcon(logo)}
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
    ...(hasScript ? [`script-src 'sha256-${hashText(TIMES_SCRIPT)}'`] : []),
  ];
  return { html, policy: buildPolicy(style, { loaded, hasForm: formStyle !== undefined }) };
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** Allows only the page's own style, script and logo, and our font. */
function buildPolicy(
  style: string,
  { loaded, hasForm }: { readonly loaded: readonly string[]; readonly hasForm: boolean },
): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${hashText(style)}'`,
    ...loaded,
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The icon link comes last in the head, close to the logo, so that compression finds the repeated data. */
function renderIcon(logo: string | null): string {
  return logo === null ? '' : `<link rel="icon" href="${escapeHtml(logo)}">`;
}

/** Renders the logo. Its alternative text is empty, because the title already names the owner. */
export function renderLogo(logo: string | null): string {
  return logo === null ? '' : `<img class="logo" src="${escapeHtml(logo)}" alt="">`;
}
