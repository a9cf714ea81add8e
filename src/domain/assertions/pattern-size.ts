/**
 * Measures the size of a regular expression after its repetitions are expanded, because parsing time grows with that
 * size. Does not check whether the pattern is valid.
 */

export const PATTERN_MAX = 500;
/** Size limit of one pattern with its repetitions expanded. */
export const PATTERN_SIZE_MAX = 10_000;
/** Size limit of all patterns of one object together. */
export const PATTERNS_SIZE_MAX = 50_000;

/** The size of a Unicode class such as `\p{L}`. Such a class has hundreds of ranges, which are parsed once. */
const UNICODE_CLASS_COST = 100;
/** How much the flag `i` increases the size. Each letter becomes a class of its upper and lower case. */
const FOLD_FACTOR = 4;

const COUNT = /\{(\d+)(?:(,)(\d*))?\}/y;
/** Matches the start of a group with its name or flags. */
const GROUP_START = /\(\?(?:P?<\w*>|[a-zA-Z-]*:?)/y;
const CLASS_END = /[\\\]]/g;

interface Group {
  size: number;
  /** The size of the last item, which the next repetition would multiply. */
  last: number;
}

/** Returns the size, which is at least 1 and never less than the number of characters. */
export function measurePattern(pattern: string): number {
  const groups: Group[] = [];
  let group: Group = { size: 0, last: 0 };
  const add = (size: number): void => {
    group.size += size;
    group.last = size;
  };
  for (let at = 0; at < pattern.length; ) {
    const character = pattern.charAt(at);
    const times = character === '{' ? readTimes(pattern, at) : null;
    if (times !== null) {
      group.size += group.last * (times.count - 1);
      group.last *= times.count;
      at = times.end;
      continue;
    }
    if (character === '(') {
      groups.push(group);
      group = { size: 0, last: 0 };
      at = findGroupContent(pattern, at);
      continue;
    } else if (character === ')') {
      const { size } = group;
      const outer = groups.pop();
      group = outer ?? { size: 0, last: 0 };
      add(size);
    } else if (character === '[') {
      add(1);
      at = findClassEnd(pattern, at);
    } else if (character === '\\') {
      add(1);
      at += 1;
    } else {
      add(1);
    }
    at += 1;
  }
  const written = groups.reduce((sum, { size }) => sum + size, group.size);
  const read =
    pattern.length + UNICODE_CLASS_COST * pattern.split(/\\p/i).length - UNICODE_CLASS_COST;
  return (written + read) * (/\(\?[a-zA-Z]*i/.test(pattern) ? FOLD_FACTOR : 1);
}

function findGroupContent(pattern: string, start: number): number {
  GROUP_START.lastIndex = start;
  return start + (GROUP_START.exec(pattern)?.[0].length ?? 1);
}

/** Reads a repetition in braces. null means that the brace is an ordinary character. */
function readTimes(pattern: string, at: number): { count: number; end: number } | null {
  COUNT.lastIndex = at;
  const match = COUNT.exec(pattern);
  if (match === null) return null;
  const [whole, min = '0', comma, max = ''] = match;
  const count =
    comma !== undefined && max === '' ? Number(min) + 1 : Number(max === '' ? min : max);
  return { count: Math.max(1, count), end: at + whole.length };
}

/**
 * Returns the position of the bracket that ends the class. A bracket directly at the start is a member of the class.
 */
function findClassEnd(pattern: string, start: number): number {
  let at = pattern.charAt(start + 1) === '^' ? start + 2 : start + 1;
  if (pattern.charAt(at) === ']') at += 1;
  while (at < pattern.length) {
    CLASS_END.lastIndex = at;
    const found = CLASS_END.exec(pattern);
    if (found === null) return pattern.length;
    if (found[0] === ']') return found.index;
    at = found.index + 2;
  }
  return pattern.length;
}

/**
 * Returns why the patterns of a body are too large together. Equal patterns count once. null means that the patterns
 * are small enough.
 */
export function findPatternsProblem(body: unknown, sizeMax = PATTERNS_SIZE_MAX): string | null {
  const patterns = new Set<string>();
  collectPatterns(body, patterns);
  let size = 0;
  for (const pattern of patterns) size += Math.min(measurePattern(pattern), PATTERN_SIZE_MAX);
  if (size <= sizeMax) return null;
  const counted = `${patterns.size.toLocaleString('en')} different regular expressions`;
  return `has ${counted}, which are too large together: use fewer, or fewer counted repetitions`;
}

/**
 * Collects the patterns in a value: `pattern`, `matches`, and the `value` of an assertion with the operator `matches`
 * or `notMatches`.
 */
function collectPatterns(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const { operator } = { operator: undefined, ...value };
  const isMatching = operator === 'matches' || operator === 'notMatches';
  for (const [name, child] of Object.entries(value)) {
    const isPattern = name === 'pattern' || name === 'matches' || (name === 'value' && isMatching);
    if (typeof child !== 'string') collectPatterns(child, found);
    else if (isPattern && child.length <= PATTERN_MAX) found.add(child);
  }
}
