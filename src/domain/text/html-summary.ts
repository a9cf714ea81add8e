/**
 * Reads the title and the visible text of the start of an HTML page, so that people can read it in an alert. The result
 * is plain text and still has to be escaped. Pure.
 */
const PAGE_START = /^[\s\ufeff]*<(?:!doctype html|html|head|body)\b/i;
const TITLE = /<title\b[^<>]*>([^<]*)/i;
/**
 * Matches comments and elements without visible text. An element without its end tag reaches to the end of the text.
 * The pattern never reads the start of a tag twice, so matching takes linear time.
 */
const HIDDEN =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|head|template|svg|noscript)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi;
/** Matches tags, and a tag that is cut off at the end. */
const TAGS = /<\/?[a-z!?][^>]*(?:>|$)/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

export function isHtmlPage(text: string): boolean {
  return PAGE_START.test(text);
}

/** Returns text like `503 Service Unavailable: No server is available`. null if the text is no HTML page. */
export function summariseHtml(html: string): string | null {
  if (!isHtmlPage(html)) return null;
  const title = readText(TITLE.exec(html)?.[1] ?? '');
  const text = readText(html.replaceAll(HIDDEN, ' '));
  // Error pages often repeat their title as the first heading.
  if (text.startsWith(title)) return text === '' ? null : text;
  return text === '' ? title : `${title}: ${text}`;
}

function readText(html: string): string {
  return html
    .replaceAll(TAGS, ' ')
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi, readEntity)
    .replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim();
}

function readEntity(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
}
