/**
 * The dashboard's font for pages outside of the dashboard: the same file, so that a browser loads it only
 * once. It is served from our own origin, and pages do not wait for it.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The font family of pages; falls back to the system's font if none is served. */
export const FONT_FAMILY =
  '"Inter Variable",system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif';

/** The font's URL among the hashed files; null if this process serves none. */
export function findFont(dashboardFolder: string | undefined): string | null {
  if (dashboardFolder === undefined) return null;
  const assets = path.join(dashboardFolder, 'assets');
  const files = existsSync(assets) ? readdirSync(assets) : [];
  const file = files.find((name) => /^inter-latin-wght-normal-[\w-]+\.woff2$/.test(name));
  return file === undefined ? null : `/assets/${file}`;
}

/** A font that loads late is not used at all, so that text never shifts while it is read. */
export function fontFace(fontUrl: string | null): string {
  if (fontUrl === null) return '';
  return `@font-face{font-family:"Inter Variable";font-weight:100 900;font-display:optional;
src:url(${fontUrl}) format("woff2-variations")}`;
}

/** For the head of a page, one line or none. */
export function fontPreload(fontUrl: string | null): string {
  if (fontUrl === null) return '';
  return `<link rel="preload" as="font" type="font/woff2" href="${fontUrl}" crossorigin>\n`;
}
