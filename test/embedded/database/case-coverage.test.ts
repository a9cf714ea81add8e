// The table of cases covers every name that the database accepts, and what each does with the values that are
// easily forgotten: a new name without them fails here.
import { ACCUMULATORS } from '../../../src/embedded/database/aggregation/accumulators';
import { STAGES } from '../../../src/embedded/database/aggregation/stages';
import { CLAUSE_OPERATORS } from '../../../src/embedded/database/query/filter-parser';
import { PATH_OPERATORS } from '../../../src/embedded/database/query/value-tests';
import {
  PUSH_MODIFIERS,
  UPDATE_OPERATORS,
} from '../../../src/embedded/database/update/parse-update';
import { nameType } from '../../../src/embedded/database/values/bson-values';
import { type DatabaseCase, readDatabaseCases } from './database-cases';

const NAMES = [
  ...new Set([
    ...PATH_OPERATORS,
    ...CLAUSE_OPERATORS,
    ...UPDATE_OPERATORS,
    ...STAGES,
    ...ACCUMULATORS,
  ]),
];

/** Why a name needs no cases for some corners. */
const WITHOUT_CORNERS: Readonly<Record<string, string>> = {
  $limit: 'counts documents and reads none of their values',
  $skip: 'counts documents and reads none of their values',
};

/** Forms of what is accepted, as the names of their cases begin. */
const FORMS = [
  ...PUSH_MODIFIERS.map((name) => `$push with ${name}`),
  ...['path', 'constant'].map((form) => `$group by a ${form}`),
  ...ACCUMULATORS.flatMap((name) => ['path', 'constant'].map((form) => `${name} of a ${form}`)),
  'projection includes at a path',
];

const CORNERS = ['missing', 'null', 'mixed types', 'list'] as const;
/** The field that cases of corners are about. */
const FIELD = 'v';
const MIXED_TYPES_MIN = 3;

const CASES = readDatabaseCases();

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

/** The corners that the documents of a case have in its field. */
function cornersOf({ given = [] }: DatabaseCase): string[] {
  const types = new Set(
    given.map((document) => (FIELD in document ? nameType(document[FIELD]) : 'missing')),
  );
  const corners = [...types].map((type) => (type === 'array' ? 'list' : type));
  return types.size >= MIXED_TYPES_MIN ? [...corners, 'mixed types'] : corners;
}

/** True for the cases that are about a name: theirs begins with it. */
function isAbout({ name, command }: DatabaseCase, operator: string): boolean {
  return name.startsWith(`${operator} `) && namesIn(command).includes(operator);
}

const accepted = CASES.filter((one) => one.code === undefined && !one.writeErrors);
const covered = new Set(accepted.flatMap((one) => namesIn(one.command)));

test.each(NAMES)('the table has a case for %s', (name) => {
  expect(covered).toContain(name);
});

test.each(NAMES.filter((name) => !Object.hasOwn(WITHOUT_CORNERS, name)))(
  'the table says what %s does with a missing field, with null, with mixed types and with lists',
  (name) => {
    const corners = CASES.filter((one) => isAbout(one, name)).flatMap(cornersOf);
    expect(corners).toEqual(expect.arrayContaining([...CORNERS]));
  },
);

test.each(FORMS)('the table covers the same cases for %s', (form) => {
  const corners = CASES.filter(({ name }) => name.startsWith(`${form} `)).flatMap(cornersOf);
  expect(corners).toEqual(expect.arrayContaining([...CORNERS]));
});

test('every name without corner cases is accepted', () => {
  expect(NAMES).toEqual(expect.arrayContaining(Object.keys(WITHOUT_CORNERS)));
});
