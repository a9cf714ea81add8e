/** Clicked nodes become paths the API accepts, and a path shows what it would extract. */
import {
  extractFrom,
  parseAnswer,
  preview,
  variableFor,
} from '../../src/dashboard/features/scenarios/json-nodes';
import { jsonPathOf } from '../../src/dashboard/shared/results/json-path-of';
import { findJsonPathProblem } from '../../src/domain/json-path-syntax';

const answer = {
  id: 7,
  items: [{ 'first-name': 'A', tags: [] }, { 'first-name': 'B' }],
  größe: 1,
  '': 2,
  '12': 3,
  none: null,
};

describe('The path of a node', () => {
  it('is one that the API accepts and that finds the node again', () => {
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
      const path = jsonPathOf(node);
      expect(findJsonPathProblem(path)).toBeNull();
      const wanted = node.reduce<unknown>((at, part) => Reflect.get(Object(at), part), answer);
      expect(extractFrom(answer, path)).toEqual({ kind: 'found', value: wanted, count: 1 });
    }
  });
});

describe('What a path extracts', () => {
  it('is the first of what it finds', () => {
    expect(extractFrom(answer, "$.items[*]['first-name']")).toEqual({
      kind: 'found',
      value: 'A',
      count: 2,
    });
    expect(extractFrom(answer, '$.items[-1]')).toMatchObject({ value: { 'first-name': 'B' } });
  });

  it('is nothing where there is nothing, also for names that objects have of themselves', () => {
    for (const path of ['$.missing', '$.items[9]', '$.items.length', '$.constructor', '$.id.x']) {
      expect(extractFrom(answer, path)).toEqual({ kind: 'nothing' });
    }
  });

  it('is left to the probe for filters and descents', () => {
    expect(extractFrom(answer, '$..id')).toEqual({ kind: 'unknown' });
    expect(extractFrom(answer, 'id')).toEqual({ kind: 'unknown' });
  });
});

describe('Names and texts', () => {
  it('makes a free variable name of a node', () => {
    expect(variableFor("$.items[0]['first-name']", [])).toBe('firstName');
    expect(variableFor('$.id', ['id', 'id2'])).toBe('id3');
    expect(variableFor("$['12']", [])).toBe('value12');
    expect(variableFor("$['größe']", [])).toMatch(/^[A-Za-z_]\w*$/);
    expect(variableFor('$[0]', [])).toBe('value');
  });

  it('reads JSON answers only', () => {
    expect(parseAnswer('{"a":1}')).toEqual({ json: { a: 1 } });
    expect(parseAnswer('<html>')).toBeUndefined();
    expect(parseAnswer('{"cut": ')).toBeUndefined();
    expect(preview('x'.repeat(500))).toHaveLength(121);
  });
});
