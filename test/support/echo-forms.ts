/**
 * The spellings in which targets return received values. Written independently of the code that searches for secrets.
 */

/** Returns every spelling of a value that must not be found anywhere. */
export function spellingsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const bytes = Buffer.from(value);
  const all = [
    value,
    encodeURIComponent(value),
    encodeURIComponent(value).replaceAll(/%../g, (hex) => hex.toLowerCase()),
    new URLSearchParams({ v: value }).toString().slice(2),
    json,
    json.replaceAll('/', '\\/'),
    json.replaceAll('&', '\\u0026').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e'),
    JSON.stringify(json).slice(1, -1),
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    html.replaceAll('"', '&#34;').replaceAll("'", '&#39;'),
    html.replaceAll('"', '&quot;').replaceAll("'", '&#x27;'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...['', 'a', 'ab'].flatMap((before) => base64Spellings(before, value)),
  ];
  return [...new Set(all)];
}

/**
 * Returns the base64 characters that depend only on the value, within the base64 of a longer text. Also returns their
 * URL-safe form.
 */
function base64Spellings(before: string, value: string): string[] {
  const start = Math.ceil((before.length * 8) / 6);
  const end = Math.floor(((before.length + Buffer.byteLength(value)) * 8) / 6);
  const text = Buffer.from(before + value)
    .toString('base64')
    .slice(start, end);
  return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
}
