/** Escapes text for HTML and SVG, so that any text is shown literally. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that XML forbids: control characters except tabs and line breaks, and lone surrogates. */
const UNPRINTABLE = /[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu;

/** Escapes text for use between tags and in quoted attributes of HTML and XML. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(UNPRINTABLE, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
