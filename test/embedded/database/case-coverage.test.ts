// Tests that the table of cases covers every operator that the database accepts. Each operator needs cases with the
// values that are easily forgotten. If a new operator has no cases, this test fails.
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

/** Operators that need no cases with corner values, each with the reason. */
const WITHOUT_CORNERS: Readonly<Record<string, string>> = {
  $limit: 'counts documents and reads none of their values',
  $skip: 'counts documents and reads none of their values',
};

/** Prefixes that names of cases must have. They describe forms of accepted commands. */
const FORMS = [
  ...PUSH_MODIFIERS.map((name) => `$push with ${name}`),
  ...['path', 'constant'].map((form) => `$group by a ${form}`),
  ...ACCUMULATORS.flatMap((name) => ['path', 'constant'].map((form) => `${name} of a ${form}`)),
  'projection includes at a path',
];

const CORNERS = ['missing', 'null', 'mixed types', 'list'] as const;
/** The name of the field that contains the corner values in cases. */
const FIELD = 'v';
const MIXED_TYPES_MIN = 3;

const CASES = readDatabaseCases();

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

/** Returns the corner values that the documents of a case have in the field `v`. */
function cornersOf({ given = [] }: DatabaseCase): string[] {
  const types = new Set(
    given.map((document) => (FIELD in document ? nameType(document[FIELD]) : 'missing')),
  );
  const corners = [...types].map((type) => (type === 'array' ? 'list' : type));
  return types.size >= MIXED_TYPES_MIN ? [...corners, 'mixed types'] : corners;
}

/** Returns true if the case is about the operator. The name of such a case begins with the operator. */
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

test.each(FORMS)(
  'the table of cases covers a missing field, null, mixed types and lists for %s',
  (form) => {
    const corners = CASES.filter(({ name }) => name.startsWith(`${form} `)).flatMap(cornersOf);
    expect(corners).toEqual(expect.arrayContaining([...CORNERS]));
  },
);

test('the list of operators without corner cases names only operators that the database accepts', () => {
  expect(NAMES).toEqual(expect.arrayContaining(Object.keys(WITHOUT_CORNERS)));
});
