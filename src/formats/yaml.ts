/**
 * Reads YAML, and JSON with it: definitions, files of other tools, and what is typed into editors. One
 * bound holds for all of them. It counts what aliases stand for, since that is what has to be read;
 * the parser's own bound counts aliases, and takes fifty endpoints with one anchor for an attack.
 */
import { type Document, parseDocument } from 'yaml';

/** About ten times what an `apply` of 2,000 large objects holds. */
const VALUES_MAX = 1_000_000;

const TOO_MANY = `Its aliases (*name) stand for more than ${VALUES_MAX.toLocaleString('en')} values. Write out fewer of them.`;

/** The text can be read, and is more than anybody means. Its message is a sentence for people. */
export class TooManyValues extends Error {
  constructor() {
    super(TOO_MANY);
    this.name = 'TooManyValues';
  }
}

/** One document. Merge keys (`<<`) are merged. Throws what is wrong with it, with its line. */
export function readYaml(text: string): unknown {
  const document = parseDocument(text, { merge: true });
  const [fault] = document.errors;
  if (fault !== undefined) throw fault;
  return readDocument(document);
}

/** The value of a document without errors. Throws {@link TooManyValues}. */
export function readDocument(document: Document.Parsed): unknown {
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  if (countValues(value, new Map()) > VALUES_MAX) throw new TooManyValues();
  return value;
}

/** What an alias stands for is one object in memory: counted once, added for each alias. */
function countValues(value: unknown, counted: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return 1;
  const known = counted.get(value);
  if (known !== undefined) return known;
  // Reached again from inside, it never ends.
  counted.set(value, Number.POSITIVE_INFINITY);
  let count = 1;
  for (const part of Object.values(value)) count += countValues(part, counted);
  counted.set(value, count);
  return count;
}
