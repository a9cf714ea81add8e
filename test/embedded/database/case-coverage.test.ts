// The table of cases covers every name that the database accepts: a new one without a case fails here.
import { ACCUMULATORS } from '../../../src/embedded/database/aggregation/accumulators';
import { STAGES } from '../../../src/embedded/database/aggregation/stages';
import { PATH_OPERATORS } from '../../../src/embedded/database/query/value-tests';
import { UPDATE_OPERATORS } from '../../../src/embedded/database/update/parse-update';
import { readDatabaseCases } from './database-cases';

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('_bsontype' in value && value._bsontype === 'BSONRegExp') return ['$regex'];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

const accepted = readDatabaseCases().filter((one) => one.code === undefined && !one.writeErrors);
const covered = new Set(accepted.flatMap((one) => namesIn(one.command)));

test.each([...PATH_OPERATORS, ...UPDATE_OPERATORS, ...STAGES, ...ACCUMULATORS])(
  'a case of the table is answered with %s',
  (name) => {
    expect(covered).toContain(name);
  },
);
