/** Converts JSON paths of other tools to our spelling. */

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;

const SEGMENT =
  /(\.\.?)(?:`([^`]+)`|"([^"]+)"|'([^']+)'|([^.[\]`"'\s()?@]+))|\[\s*(?:"([^"]+)"|'([^']+)')\s*\]|\[\s*(-?\d+|\*)\s*\]/uy;

/**
 * Quotes the parts of a path that are not plain names, as in `$['status-page']`. A path in an unknown form is returned
 * unchanged.
 */
export function quotePath(path: string): string {
  const parts: string[] = [];
  let at = path.startsWith('$') ? 1 : 0;
  while (at < path.length) {
    SEGMENT.lastIndex = at;
    const match = SEGMENT.exec(path);
    if (match === null) return path;
    const [whole, dots = '', ...names] = match;
    const position = names.pop();
    const name = names.find((each) => each !== undefined) ?? '';
    parts.push(position === undefined ? formatSegment(dots, name, whole) : `[${position}]`);
    at += whole.length;
  }
  return `$${parts.join('')}`;
}

function formatSegment(dots: string, name: string, whole: string): string {
  if (name === '*') return `${dots}*`;
  if (dots === '') return whole;
  if (IDENTIFIER.test(name)) return `${dots}${name}`;
  const quoted = `['${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;
  return dots === '..' ? `..${quoted}` : quoted;
}
