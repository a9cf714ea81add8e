/** Explains faults in YAML and JSON in plain words. The parser's own messages use terms of the YAML specification. */
import { YAMLParseError } from 'yaml';
import { readYaml, TooManyValues } from '../../formats/yaml';
import { formatReason, usageError } from '../cli-error';

type Fault = Pick<YAMLParseError, 'code' | 'message'>;

const NO_COLON = 'A field needs a colon, a space and a value, like name: Shop.';
const WRONG_INDENTATION = 'The indentation does not match the lines above.';
const STRAY_TEXT =
  'This text does not belong to the value before it. Check the quotes and the indentation.';

/** The sentence for each message of the parser. `$1` is replaced by the first group. The first match counts. */
const BY_MESSAGE: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/^Flow .* end with a (.)/, 'A closing $1 is missing.'],
  [/^Missing closing (.)quote/, 'A closing $1 is missing.'],
  [/^Plain value cannot start with .*(.)$/, 'A value that begins with $1 needs quotes.'],
  [/^Invalid escape sequence (.+)/, '$1 is not an escape sequence. Write \\\\ for a backslash.'],
  [
    /^Nested mappings/,
    'Another field begins inside this value. Put a value that contains ": " in quotes, or correct the indentation.',
  ],
  [/^Sequence item without/, WRONG_INDENTATION],
  [/^Implicit (?:map )?keys/, NO_COLON],
  [/^Missing , /, 'Separate the items in [ ] and { } with commas.'],
  [/^Unexpected (?:,|empty item)/, 'An item is missing before this comma.'],
  [/^Unexpected flow-.*"(.)"$/, 'This $1 closes nothing.'],
  [/^Unexpected block-seq-ind/, 'A list begins on the line after its field.'],
  [/^Unexpected /, STRAY_TEXT],
  [/^Source contains multiple documents/, 'The file must contain a single document.'],
  [/^Unresolved alias .*: (.+)$/, '*$1 stands for nothing, because &$1 does not come before it.'],
  [/^Merge sources/, '<< must refer to an object.'],
];

/** The sentence for each code of the parser, for messages that are not in the list above. */
const BY_CODE: Readonly<Partial<Record<Fault['code'], string>>> = {
  BAD_INDENT: WRONG_INDENTATION,
  BLOCK_IN_FLOW: 'Separate the items in [ ] and { } with commas.',
  DUPLICATE_KEY: 'This field is set twice.',
  MULTILINE_IMPLICIT_KEY: NO_COLON,
  TAB_AS_INDENT: 'Indent lines with spaces, not with tabs.',
};

/** Returns a sentence for a fault of the parser. The message of an unknown fault is part of the sentence. */
export function describeYamlFault(fault: Fault | Error): string {
  // The parser may append the position and the line.
  const message = fault.message.replace(/ at line \d+, column \d+[\s\S]*$/, '');
  for (const [pattern, sentence] of BY_MESSAGE) {
    const match = pattern.exec(message);
    if (match !== null) return sentence.replaceAll('$1', () => match[1] ?? '');
  }
  const known = 'code' in fault ? BY_CODE[fault.code] : undefined;
  return known ?? `This is not valid YAML: ${message.replace(/\.$/, '')}.`;
}

/** Parses a document in YAML or JSON. Throws a usage error with the file, line and column of the first fault. */
export function parseText(text: string, file: string): unknown {
  const shown = file === '-' ? 'standard input' : file;
  try {
    return readYaml(text);
  } catch (error) {
    if (error instanceof TooManyValues)
      throw usageError(`${shown} can't be read. ${error.message}`);
    const [start] = (error instanceof YAMLParseError && error.linePos) || [];
    const at = start === undefined ? shown : `${shown}:${start.line}:${start.col}`;
    const fault = error instanceof Error ? error : new Error(formatReason(error));
    throw usageError(`${at}: ${describeYamlFault(fault)}`);
  }
}
