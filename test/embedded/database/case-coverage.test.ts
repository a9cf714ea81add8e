// The table of cases covers every operator that the database accepts, each with the values that are
// easily forgotten. A new operator without cases fails here.
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

/** Why an operator needs no cases for some corner values. */
const WITHOUT_CORNERS: Readonly<Record<string, string>> = {
  $limit: 'counts documents and reads none of their values',
  $skip: 'counts documents and reads none of their values',
};

/** Forms of accepted commands, as prefixes of case names. */
const FORMS = [
  ...PUSH_MODIFIERS.map((name) => `$push with ${name}`),
  ...['path', 'constant'].map((form) => `$group by a ${form}`),
  ...ACCUMULATORS.flatMap((name) => ['path', 'constant'].map((form) => `${name} of a ${form}`)),
  'projection includes at a path',
];

const CORNERS = ['missing', 'null', 'mixed types', 'list'] as const;
/** The field that cases with corner values use. */
const FIELD = 'v';
const MIXED_TYPES_MIN = 3;

const CASES = readDatabaseCases();

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

/** The corner values that the documents of a case have in that field. */
function cornersOf({ given = [] }: DatabaseCase): string[] {
  const types = new Set(
    given.map((document) => (FIELD in document ? nameType(document[FIELD]) : 'missing')),
  );
  const corners = [...types].map((type) => (type === 'array' ? 'list' : type));
  return types.size >= MIXED_TYPES_MIN ? [...corners, 'mixed types'] : corners;
}

/** Whether the case is about the operator: its name begins with the operator. */
function isAbout({ name, command }: DatabaseCase, operator: string): boolean {
  return name.startsWith(`${operator} `) && namesIn(command).includes(operator);
}

const accepted = CASES.filter((one) => one.code === undefined && !one.writeErrors);
const covered = new Set(accepted.flatMap((one) => namesIn(one.command)));

test.each(NAMES)('the table of cases has a case for %s', (name) => {
  expect(covered).toContain(name);
});

test.each(NAMES.filter((name) => !Object.hasOwn(WITHOUT_CORNERS, name)))(
  'the table of cases has cases of %s for a missing field, null, mixed types and lists',
  (name) => {
    const corners = CASES.filter((one) => isAbout(one, name)).flatMap(cornersOf);
    expect(corners).toEqual(expect.arrayContaining([...CORNERS]));
  },
);

test.each(FORMS)('the table of cases covers the same cases for %s', (form) => {
  const corners = CASES.filter(({ name }) => name.startsWith(`${form} `)).flatMap(cornersOf);
  expect(corners).toEqual(expect.arrayContaining([...CORNERS]));
});

test('only accepted operators are listed as being without corner cases', () => {
  expect(NAMES).toEqual(expect.arrayContaining(Object.keys(WITHOUT_CORNERS)));
});
