/**
 * Tests that clicking a node of a response gives a path that the API accepts, and that the builder finds the value that
 * a path would extract.
 */
import * as fc from 'fast-check';
import {
  extractFrom,
  parseResponse,
  preview,
  variableFor,
} from '../../../src/dashboard/features/scenarios/builder/json-nodes';
import { formatJsonPath, type Key } from '../../../src/dashboard/shared/results/json-path';
import { findJsonPathProblem } from '../../../src/domain/assertions/json-path-syntax';
import { propertyOptions } from '../../support/property-runs';

const answer = {
  id: 7,
  items: [{ 'first-name': 'A', tags: [] }, { 'first-name': 'B' }],
  größe: 1,
  '': 2,
  '12': 3,
  none: null,
};

const syntax = fc.constantFrom(
  ...'ab1.\\\'"`[]()?@$*#,:;~^%/ \n\t'.split(''),
  "')]",
  '__proto__',
  '[?(@.x)]',
);

function pathOf(keys: readonly Key[]): string {
  const { path, problem } = formatJsonPath(keys);
  if (path === null) throw new Error(problem);
  return path;
}

describe('The path of a node', () => {
  it('the path of a node is accepted by the API and finds the node again', () => {
    const nodes = [
      [],
      ['id'],
      ['items', 1, 'first-name'],
      ['items', 0, 'tags'],
      ['größe'],
      ['12'],
      ['none'],
    ];
    for (const node of nodes) {
      const wanted = node.reduce<unknown>((at, part) => Reflect.get(Object(at), part), answer);
      expect(extractFrom(answer, pathOf(node))).toEqual({ kind: 'found', value: wanted, count: 1 });
    }
  });

  it('the path of a node exists for every member name that is valid text', () => {
    const name = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: syntax }));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        const root = names.reduceRight<unknown>(
          (value, key) => Object.fromEntries([['other', 0] as const, [key, value] as const]),
          'found',
        );
        const path = pathOf(names);
        expect(findJsonPathProblem(path)).toBeNull();
        expect(extractFrom(root, path)).toEqual({ kind: 'found', value: 'found', count: 1 });
      }),
      propertyOptions(100),
    );
  });

  it('the path of a node is replaced by a reason if no path leads to the node', () => {
    expect(formatJsonPath(['\ud83d'])).toEqual({
      path: null,
      problem: 'A name must not contain half of a character.',
    });
    expect(formatJsonPath(['x'.repeat(600)])).toMatchObject({ path: null });
    expect(formatJsonPath(Array.from({ length: 51 }, () => 0))).toMatchObject({ path: null });
  });
});

describe('The value that a path extracts', () => {
  it('the value that a path extracts is the first match', () => {
    expect(extractFrom(answer, "$.items[*]['first-name']")).toEqual({
      kind: 'found',
      value: 'A',
      count: 2,
    });
    expect(extractFrom(answer, '$.items[-1]')).toMatchObject({ value: { 'first-name': 'B' } });
  });

  it('a path without a match extracts nothing, even for inherited property names', () => {
    for (const path of ['$.missing', '$.items[9]', '$.items.length', '$.constructor', '$.id.x']) {
      expect(extractFrom(answer, path)).toEqual({ kind: 'nothing' });
    }
  });

  it('the builder does not evaluate a path with filters or recursive descent, and leaves it to the probe', () => {
    expect(extractFrom(answer, '$..id')).toEqual({ kind: 'unknown' });
    expect(extractFrom(answer, 'id')).toEqual({ kind: 'unknown' });
  });
});

describe('Names and texts', () => {
  it('the builder makes an unused variable name for a node', () => {
    expect(variableFor("$.items[0]['first-name']", [])).toBe('firstName');
    expect(variableFor('$.id', ['id', 'id2'])).toBe('id3');
    expect(variableFor("$['12']", [])).toBe('value12');
    expect(variableFor("$['größe']", [])).toMatch(/^[A-Za-z_]\w*$/);
    expect(variableFor('$[0]', [])).toBe('value');
  });

  it('the builder reads JSON responses only', () => {
    expect(parseResponse('{"a":1}')).toEqual({ json: { a: 1 } });
    expect(parseResponse('<html>')).toBeUndefined();
    expect(parseResponse('{"cut": ')).toBeUndefined();
    expect(preview('x'.repeat(500))).toHaveLength(121);
  });
});
