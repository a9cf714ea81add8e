/**
 * Regular expressions in bodies: whether one can be used, and how much work all of a body may be together. Each is
 * read once, however often it stands in a body; none is run.
 */
import { RE2JS } from 're2js';
import { measurePattern } from '../domain/assertions/pattern-size';

export const PATTERN_MAX = 500;
/** Of one pattern with its repetitions written out. */
const PATTERN_SIZE_MAX = 10_000;
/** Of all patterns of one object together. */
export const PATTERNS_SIZE_MAX = 50_000;
const READ_KEPT = 5_000;

/** What was found of patterns that were read lately; null: nothing is wrong. */
const read = new Map<string, string | null>();

/** null: it can be used. */
export function findPatternProblem(pattern: string): string | null {
  if (pattern.length > PATTERN_MAX) return `must have at most ${PATTERN_MAX} characters`;
  const known = read.get(pattern);
  if (known !== undefined) return known;
  const problem = readPattern(pattern);
  if (read.size >= READ_KEPT) read.clear();
  read.set(pattern, problem);
  return problem;
}

function readPattern(pattern: string): string | null {
  if (measurePattern(pattern) > PATTERN_SIZE_MAX)
    return 'repeats too much: with its counts written out it would be longer than 10,000 characters';
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return `is not a regular expression that we accept (RE2 syntax): ${error instanceof Error ? error.message : ''}`;
  }
}

/** Why the different patterns of a body are too much work together; null: they are not. */
export function findPatternsProblem(body: unknown, sizeMax = PATTERNS_SIZE_MAX): string | null {
  const patterns = new Set<string>();
  collectPatterns(body, patterns);
  let size = 0;
  for (const pattern of patterns) size += Math.min(measurePattern(pattern), PATTERN_SIZE_MAX);
  if (size <= sizeMax) return null;
  const counted = `${patterns.size.toLocaleString('en')} different regular expressions`;
  return `holds ${counted}, which are too much together: use fewer, or fewer counted repetitions`;
}

/** Where patterns may stand: `pattern`, `matches`, and the `value` of an assertion that compares by one. */
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
