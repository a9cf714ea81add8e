// Regular expressions of filters: found in linear time by re2, never by backtracking. Only what means the
// same in MongoDB's PCRE is let through, rewritten where the two differ; all else is refused with 51091.
import { RE2JS } from 're2js';
import { DatabaseError } from '../errors';

// What a pattern costs per character of a text is bounded by its length and its counted repetitions.
const PATTERN_CHARACTERS_MAX = 1000;
const REPETITIONS_MAX = 200;

// `\w` and POSIX classes of letters: re2 lets them take in letters beyond ASCII where case is ignored.
const SPACE = '\\t\\n\\x0b\\f\\r ';
const END_OF_TEXT = '(?:\\n?\\z)';
const ESCAPED_ANYWHERE: ReadonlySet<string> = new Set('dDtnrf');
const ESCAPED_OUTSIDE: ReadonlySet<string> = new Set('bBAz');
const POSIX_CLASS =
  /^\[:\^?(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit):\]/;
const HEX = /^\\x(?:[0-9a-fA-F]{2}|\{[0-9a-fA-F]{1,6}\})/;
const REPEAT = /^\{(\d+)(?:,(\d*))?\}/;
const SYNTAX = /[\\^$.*+?()[\]{}|]/g;

/** A test of texts; 51091 for a pattern and 51108 for options that there are not. */
export function compilePattern(pattern: string, options: string): (text: string) => boolean {
  if (pattern.length > PATTERN_CHARACTERS_MAX) throw invalid('it is too long');
  const flags = flagsOf(options);
  const source = new Translation(pattern, options.includes('i')).run();
  try {
    const expression = RE2JS.compile(source, flags);
    return (text) => expression.test(text);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'unreadable');
  }
}

function flagsOf(options: string): number {
  let flags = 0;
  for (const option of options) {
    if (option === 'i') flags |= RE2JS.CASE_INSENSITIVE;
    else if (option === 's') flags |= RE2JS.DOTALL;
    else if (option === 'm' || option === 'x') {
      throw new DatabaseError(238, `The embedded database has no patterns with option ${option}`);
    } else if (option !== 'u') {
      throw new DatabaseError(51108, `invalid flag in regex options: ${option}`);
    }
  }
  return flags;
}

function invalid(reason: string): DatabaseError {
  return new DatabaseError(51091, `Regular expression is invalid: ${reason}`);
}

/** Walks a pattern once, and writes the same for re2. */
class Translation {
  private at = 0;
  private written = '';
  private repetitions = 0;
  /** One entry per open group: whether a `$` stands in it. */
  private readonly groups: boolean[] = [];

  constructor(
    private readonly pattern: string,
    private readonly ignoresCase: boolean,
  ) {}

  run(): string {
    while (this.at < this.pattern.length) this.step();
    return this.written;
  }

  private get rest(): string {
    return this.pattern.slice(this.at, this.at + 64);
  }

  private take(length: number, written = this.pattern.slice(this.at, this.at + length)): void {
    this.at += length;
    this.written += written;
  }

  private step(): void {
    const character = this.pattern[this.at] ?? '';
    switch (character) {
      case '\\':
        this.escape();
        break;
      case '[':
        this.characterClass();
        break;
      case '(':
        this.openGroup();
        break;
      case ')':
        this.take(1);
        if (this.groups.pop() === true) this.noteEnd();
        break;
      case '$':
        this.take(1, END_OF_TEXT);
        this.noteEnd();
        break;
      case '{':
        this.repetition();
        break;
      case '\0':
        this.refuse('a null byte');
        break;
      default:
        this.take(1);
    }
  }

  private repetition(): void {
    const found = REPEAT.exec(this.rest) ?? this.refuse('{ that is no repetition');
    this.repetitions += Math.max(Number(found[1]), Number(found[2] ?? 0));
    if (this.repetitions > REPETITIONS_MAX) this.refuse(`more than ${REPETITIONS_MAX} repetitions`);
    this.take(found[0].length);
  }

  // In PCRE `$` also stands before a last line feed. That is the same only if nothing can follow it.
  private noteEnd(): void {
    const next = this.pattern[this.at];
    if (next !== undefined && next !== ')' && next !== '|') this.refuse('something behind $');
    if (this.groups.length > 0) this.groups[this.groups.length - 1] = true;
  }

  private openGroup(): void {
    this.groups.push(false);
    if (this.rest.startsWith('(?:')) this.take(3);
    else if (this.rest.startsWith('(?') || this.rest.startsWith('(*'))
      this.refuse(this.rest.slice(0, 3));
    else this.take(1);
  }

  private escape(): void {
    const character = this.pattern[this.at + 1] ?? '';
    if (character === 'w' || character === 'W') this.take(2, `(?-i:\\${character})`);
    else if (character === 's') this.take(2, `[${SPACE}]`);
    else if (character === 'S') this.take(2, `[^${SPACE}]`);
    else if (character === 'Q') this.quotation();
    else if (ESCAPED_OUTSIDE.has(character)) this.take(2);
    else this.commonEscape(character);
  }

  private commonEscape(character: string): void {
    const hex = HEX.exec(this.rest);
    if (hex) this.take(hex[0].length);
    else if (ESCAPED_ANYWHERE.has(character)) this.take(2);
    else if (/[\x20-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/.test(character)) this.literal(character);
    else this.refuse(`\\${character}`);
  }

  private literal(character: string): void {
    this.take(2, SYNTAX.test(character) || character === '-' ? `\\${character}` : character);
    SYNTAX.lastIndex = 0;
  }

  private quotation(): void {
    const start = this.at + 2;
    const end = this.pattern.indexOf('\\E', start);
    const text = this.pattern.slice(start, end < 0 ? undefined : end);
    if (text.includes('\0')) this.refuse('a null byte');
    this.take(text.length + (end < 0 ? 2 : 4), text.replace(SYNTAX, '\\$&'));
  }

  private characterClass(): void {
    this.take(this.rest.startsWith('[^') ? 2 : 1);
    for (let isFirst = true; isFirst || this.pattern[this.at] !== ']'; isFirst = false) {
      if (this.at >= this.pattern.length) this.refuse('a class without its end');
      if (isFirst && this.pattern[this.at] === ']') this.take(1, '\\]');
      else this.classItem();
    }
    this.take(1);
  }

  private classItem(): void {
    const character = this.pattern[this.at] ?? '';
    if (character === '[') this.classBracket();
    else if (character === '\\') this.classEscape();
    else if (character === '\0') this.refuse('a null byte');
    else this.take(1);
  }

  private classBracket(): void {
    const posix = POSIX_CLASS.exec(this.rest);
    if (posix) this.assertCaseMatters(posix[0]).takeSet(posix[0].length);
    else if (/^\[[:.=]/.test(this.rest)) this.refuse('a class inside a class');
    else this.take(1, '\\[');
  }

  private classEscape(): void {
    const character = this.pattern[this.at + 1] ?? '';
    if (character === 'w' || character === 'W') this.assertCaseMatters(`\\${character}`).takeSet(2);
    else if (character === 's') this.takeSet(2, SPACE);
    else if (character === 'd' || character === 'D') this.takeSet(2);
    else this.commonEscape(character);
  }

  // A hyphen behind a set is a hyphen in PCRE, and perhaps a range in re2.
  private takeSet(length: number, written?: string): void {
    this.take(length, written);
    if (/^-[^\]]/.test(this.rest)) this.refuse('a range that begins with a set');
  }

  private assertCaseMatters(set: string): this {
    return this.ignoresCase ? this.refuse(`${set} with option i`) : this;
  }

  private refuse(what: string): never {
    throw invalid(`the embedded database has no ${what}`);
  }
}
