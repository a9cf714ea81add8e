/**
 * Reads YAML, which includes JSON. Limits the number of values after aliases are expanded. The parser's own limit
 * counts aliases, and would refuse fifty endpoints that share one anchor.
 */
import { type Document, parseDocument } from 'yaml';

/** The maximum number of values. An `apply` of 2,000 large objects has about a tenth of this number. */
const VALUES_MAX = 1_000_000;

const TOO_MANY = `Its aliases (*name) stand for more than ${VALUES_MAX.toLocaleString('en')} values. Write out fewer of them.`;

/** Thrown if the text is valid but expands to more than VALUES_MAX values. The message is a sentence for users. */
export class TooManyValues extends Error {
  constructor() {
    super(TOO_MANY);
    this.name = 'TooManyValues';
  }
}

/** Reads one document and resolves merge keys (`<<`). Throws the first error, with its line. */
export function readYaml(text: string): unknown {
  const document = parseDocument(text, { merge: true });
  const [fault] = document.errors;
  if (fault !== undefined) throw fault;
  return readDocument(document);
}

/** Returns the value of a document without errors. Throws {@link TooManyValues} if the value is too large. */
export function readDocument(document: Document.Parsed): unknown {
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  if (countValues(value, new Map()) > VALUES_MAX) throw new TooManyValues();
  return value;
}

/**
 * Counts the values. An aliased value is one object in memory. It is counted once, and its count is added for each
 * alias.
 */
function countValues(value: unknown, counted: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return 1;
  const known = counted.get(value);
  if (known !== undefined) return known;
  // A value that contains itself has infinitely many values.
  counted.set(value, Number.POSITIVE_INFINITY);
  let count = 1;
  for (const part of Object.values(value)) count += countValues(part, counted);
  counted.set(value, count);
  return count;
}
