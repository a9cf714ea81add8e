/** Checks whether regular expressions are valid. Each pattern is parsed once, and never executed. */
import { RE2JS } from 're2js';
import { measurePattern, PATTERN_MAX, PATTERN_SIZE_MAX } from '../domain/assertions/pattern-size';

const READ_KEPT = 5_000;

/** The problems of patterns that were parsed recently. null means that a pattern has no problem. */
const read = new Map<string, string | null>();

/** Returns the problem of the pattern. null means that the pattern is valid. */
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
    return 'repeats too much: its counted repetitions stand for more than 10,000 characters';
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return `is not a valid regular expression (RE2 syntax): ${error instanceof Error ? error.message : ''}`;
  }
}
