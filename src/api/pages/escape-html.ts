/** Text of people inside HTML and SVG, as text whatever it holds. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What XML does not allow: control characters but tab and line ends, halves of surrogate pairs. */
const UNPRINTABLE = /[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu;

/** Good between tags and inside quoted attributes, of HTML and of XML. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(UNPRINTABLE, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
