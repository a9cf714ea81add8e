// Reads the table of MongoDB responses. The embedded database and a real mongod must pass every case. The table is
// extended JSON. The collection of a case is called `c` and is used by that case only.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BSONRegExp, EJSON } from 'bson';

/** A document of the table. */
export type Fields = Record<string, unknown>;

/** One command and all its visible effects. */
export interface DatabaseCase {
  readonly name: string;
  readonly given?: readonly Fields[];
  readonly indexes?: readonly Fields[];
  readonly command: Fields;
  /** Fields that the response must have, with their values. */
  readonly answer?: Fields;
  /** The documents of the cursor in the response. */
  readonly documents?: readonly Fields[];
  /** The error code of a refused command. */
  readonly code?: number;
  /** The position and error code of each refused write. */
  readonly writeErrors?: readonly Fields[];
  /** All documents of the collection after the command, in the order of `_id`. */
  readonly after?: readonly Fields[];
}

/**
 * A case as written in the table. `given` may be the name of a set of documents, because many cases start with the same
 * documents.
 */
type WrittenCase = Omit<DatabaseCase, 'given'> & { readonly given?: readonly Fields[] | string };

/** Reads all cases of the table. */
export function readDatabaseCases(): DatabaseCase[] {
  const cases: WrittenCase[] = readTable('database-cases.json');
  const sets: Record<string, readonly Fields[]> = readTable('database-documents.json');
  return cases.map(({ given, ...one }) => {
    if (given === undefined) return one;
    if (typeof given !== 'string') return { ...one, given };
    const documents = sets[given];
    if (!documents) throw new Error(`there are no documents named ${given}`);
    return { ...one, given: documents };
  });
}

function readTable(name: string): ReturnType<typeof EJSON.parse> {
  const file = join(__dirname, '..', '..', 'conformance', name);
  return withOperators(EJSON.parse(readFileSync(file, 'utf8'), { relaxed: false }));
}

// Replaces patterns by the operator `$regex`, because extended JSON reads `$regex` as a pattern.
function withOperators(value: ReturnType<typeof EJSON.parse>): ReturnType<typeof EJSON.parse> {
  if (value instanceof BSONRegExp) return { $regex: value.pattern };
  if (Array.isArray(value)) return value.map(withOperators);
  if (value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withOperators(one)]));
}
