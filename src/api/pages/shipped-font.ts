/** Offers the dashboard's font to other pages. Pages are shown before the font has loaded. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The font family of pages. Falls back to the system's font if this process serves no font. */
export const FONT_FAMILY =
  '"Inter Variable",system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif';

/** URL of the dashboard's font. null means that this process does not serve it. */
export function findFont(dashboardFolder: string | undefined): string | null {
  if (dashboardFolder === undefined) return null;
  const assets = path.join(dashboardFolder, 'assets');
  const files = existsSync(assets) ? readdirSync(assets) : [];
  const file = files.find((name) => /^inter-latin-wght-normal-[\w-]+\.woff2$/.test(name));
  return file === undefined ? null : `/assets/${file}`;
}

/** The CSS that loads the font. If the font loads late, the browser does not use it, because the text would shift. */
export function renderFontFace(fontUrl: string | null): string {
  if (fontUrl === null) return '';
  return `@font-face{font-family:"Inter Variable";font-weight:100 900;font-display:optional;
src:url(${fontUrl}) format("woff2-variations")}`;
}

/** Returns the line for the head of a page that preloads the font. Empty means that this process serves no font. */
export function renderFontPreload(fontUrl: string | null): string {
  if (fontUrl === null) return '';
  return `<link rel="preload" as="font" type="font/woff2" href="${fontUrl}" crossorigin>\n`;
}
