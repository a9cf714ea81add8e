/** Tests the entries of a set that a matrix expands. */
import fc from 'fast-check';
import { expandMatrices, refuseMatrixKeys } from '../../../src/domain/definitions/matrix';
import { propertyOptions } from '../../support/property-runs';

const HOME = { key: 'home', name: 'Home', url: '{{base}}/' };
const expandOne = (matrix: unknown, more: object = {}) =>
  expandMatrices([{ ...HOME, matrix, ...more }]);
const faultsOf = (matrix: unknown, more: object = {}) =>
  expandOne(matrix, more).flatMap(({ faults }) => faults.map(({ path, code }) => [path, code]));

test('an entry without a matrix is applied as it is written', () => {
  expect(expandMatrices([HOME])).toEqual([{ entry: HOME, index: 0, faults: [] }]);
});

test('a matrix of environments and regions gives one entry per combination, with both in its key and name', () => {
  const expanded = expandMatrices([
    { key: 'first', name: 'First' },
    { ...HOME, matrix: { region: ['eu-west', 'us-east'], environment: ['staging', 'prod'] } },
  ]);
  expect(expanded.map(({ index }) => index)).toEqual([0, 1, 1, 1, 1]);
  expect(expanded[1]?.entry).toEqual({
    key: 'home@staging-eu-west',
    name: 'Home (staging, eu-west)',
    url: '{{base}}/',
    environment: 'staging',
    regions: ['eu-west'],
  });
  expect(expanded.slice(1).map(({ entry }) => entry['key'])).toEqual([
    'home@staging-eu-west',
    'home@staging-us-east',
    'home@prod-eu-west',
    'home@prod-us-east',
  ]);
});

test('a matrix may have environments without regions', () => {
  const [entry] = expandOne({ environment: ['staging'] }).map((one) => one.entry);
  expect(entry).toEqual({
    ...HOME,
    key: 'home@staging',
    name: 'Home (staging)',
    environment: 'staging',
  });
  const [other] = expandOne({ region: ['eu-west'] }).map((one) => one.entry);
  expect(other).toEqual({
    ...HOME,
    key: 'home@eu-west',
    name: 'Home (eu-west)',
    regions: ['eu-west'],
  });
});

test.each([
  [['staging'], {}, [['matrix', 'wrong_type']]],
  [{}, {}, [['matrix', 'required']]],
  [{ zone: ['a'] }, {}, [['matrix.zone', 'unknown_field']]],
  [{ region: [] }, {}, [['matrix.region', 'wrong_type']]],
  [{ region: ['a', 1] }, {}, [['matrix.region', 'wrong_type']]],
  [{ region: ['a', 'a'] }, {}, [['matrix.region', 'invalid_value']]],
  [{ region: ['a'] }, { regions: ['b'] }, [['regions', 'invalid_value']]],
  [{ environment: ['a'] }, { environment: 'b' }, [['environment', 'invalid_value']]],
  [
    { region: [''] },
    { key: undefined },
    [
      ['key', 'required'],
      ['matrix.region', 'wrong_type'],
    ],
  ],
])(
  'the matrix %j in an entry with %j is refused with the paths of its problems',
  (matrix, more, faults) => {
    expect(faultsOf(matrix, more)).toEqual(faults);
  },
);

test('a matrix with 50 combinations is accepted, and a larger matrix is refused', () => {
  const list = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
  expect(faultsOf({ environment: list(5), region: list(10) })).toEqual([]);
  expect(expandOne({ environment: list(5), region: list(10) })).toHaveLength(50);
  expect(faultsOf({ environment: list(51) })).toEqual([['matrix', 'out_of_bounds']]);
});

test('every combination of a matrix gives one entry, which differs only in the fields of the matrix', () => {
  const axis = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/), {
    minLength: 1,
    maxLength: 7,
  });
  fc.assert(
    fc.property(axis, axis, (environment, region) => {
      const expanded = expandOne({ environment, region }).map(({ entry }) => entry);
      const pairs = environment.flatMap((one) => region.map((other) => `${one} ${other}`));
      expect(
        expanded.map((one) => `${String(one['environment'])} ${String(one['regions'])}`),
      ).toEqual(pairs);
      expect(new Set(expanded.map(({ key }) => key)).size).toBe(pairs.length);
      for (const {
        key: _key,
        name: _name,
        environment: _one,
        regions: _other,
        ...rest
      } of expanded)
        expect(rest).toEqual({ url: HOME.url });
    }),
    propertyOptions(100),
  );
});

describe('a dependency on the key of a matrix', () => {
  const MATRIX = { ...HOME, matrix: { environment: ['staging', 'prod'] } };
  const faultsFor = (dependsOn: unknown, known: readonly string[] = []) => {
    const sent = [MATRIX, { key: 'cart', dependsOn }];
    const [list = []] = refuseMatrixKeys([expandMatrices(sent)], sent, new Set(known));
    return list.flatMap(({ faults }) => faults);
  };

  test('a dependency on the key of a matrix that names no combination is refused, with the valid keys', () => {
    expect(faultsFor(['other', 'home'])).toEqual([
      {
        path: 'dependsOn[1]',
        code: 'unknown_key',
        message: 'is the key of a matrix; name one of its combinations: home@staging, home@prod',
      },
    ]);
  });

  test.each([[['home@staging']], [undefined], ['home'], [[7]]])(
    'the rule for matrices accepts a dependency on the key of a matrix: %j',
    (given) => {
      expect(faultsFor(given)).toEqual([]);
    },
  );

  test('a dependency on the key of a matrix refers to another object if that object has the key', () => {
    expect(faultsFor(['home'], ['home'])).toEqual([]);
  });
});
