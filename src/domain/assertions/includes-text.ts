/**
 * Finds out whether a text contains another one, in time that grows with both lengths only. JavaScript's own search may
 * take their product, and nothing can interrupt it.
 */

/** Up to this length of the part, the product is as good as the length of the text. */
const SHORT_LENGTH_MAX = 64;

/** Per length of a match so far: the longest shorter one that ends at the same unit. */
function computeFallbacks(part: string): Uint32Array {
  const fallbacks = new Uint32Array(part.length + 1);
  let matched = 0;
  for (let index = 1; index < part.length; index += 1) {
    const unit = part.charCodeAt(index);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = fallbacks[matched] ?? 0;
    if (part.charCodeAt(matched) === unit) matched += 1;
    fallbacks[index + 1] = matched;
  }
  return fallbacks;
}

/** The same as `text.includes(part)`, by the method of Knuth, Morris and Pratt. */
export function includesText(text: string, part: string): boolean {
  if (part.length <= SHORT_LENGTH_MAX) return text.includes(part);
  const fallbacks = computeFallbacks(part);
  let matched = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = fallbacks[matched] ?? 0;
    if (part.charCodeAt(matched) === unit) matched += 1;
    if (matched === part.length) return true;
  }
  return false;
}
