/**
 * Finds a text in another text in linear time. JavaScript's own search may take quadratic time and cannot be
 * interrupted.
 */

/** The length up to which JavaScript's own search is fast enough. */
const SHORT_LENGTH_MAX = 64;

/** For each number of matched characters, computes how many of them still match when the search moves on. */
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

/** Returns the same result as `text.includes(part)`, with the algorithm of Knuth, Morris and Pratt. */
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
