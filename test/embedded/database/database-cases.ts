// Reads the table of what a MongoDB answers: the embedded database and a real mongod must pass every case.
// The table is extended JSON; the collection of a case is called `c`, and belongs to that case alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BSONRegExp, EJSON } from 'bson';

/** A document of the table. */
export type Fields = Record<string, unknown>;

/** One command and all that can be seen of its effect. */
export interface DatabaseCase {
  readonly name: string;
  readonly given?: readonly Fields[];
  readonly indexes?: readonly Fields[];
  readonly command: Fields;
  /** Fields that the answer must have, and their values. */
  readonly answer?: Fields;
  /** The documents of the answer's cursor. */
  readonly documents?: readonly Fields[];
  /** The code of a refused command. */
  readonly code?: number;
  /** Index and code of each refused write. */
  readonly writeErrors?: readonly Fields[];
  /** The whole collection afterwards, in the order of `_id`. */
  readonly after?: readonly Fields[];
}

/** A case as the table has it: many begin with documents that stand once, under a name. */
type WrittenCase = Omit<DatabaseCase, 'given'> & { readonly given?: readonly Fields[] | string };

/** All cases of the table. */
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

// Extended JSON takes `$regex` for a pattern; the table means the operator.
function withOperators(value: ReturnType<typeof EJSON.parse>): ReturnType<typeof EJSON.parse> {
  if (value instanceof BSONRegExp) return { $regex: value.pattern };
  if (Array.isArray(value)) return value.map(withOperators);
  if (value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withOperators(one)]));
}
