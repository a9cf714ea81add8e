/** A step is given every variable that it names, and no others. */
import { variableNamesIn } from '../../../src/domain/definitions/variable-names';

const nothing = { url: 'https://a.example/', headers: [], body: null, extract: [], assertions: [] };

test('names stand in address, header values, body and expected values, and each comes once', () => {
  const names = variableNamesIn({
    url: 'https://{{host}}/{{path}}?again={{host}}',
    headers: [{ name: 'x-a', value: '{{token}}' }],
    body: { deep: ['{{user}}', { name: '{{token}}' }], '{{key}}': 1 },
    extract: [],
    assertions: [{ type: 'status', operator: 'equals', value: '{{expected}}', severity: 'fail' }],
  });
  expect(names).toEqual(expect.arrayContaining(['host', 'path', 'token', 'user', 'expected']));
  expect(new Set(names).size).toBe(names.length);
});

test('what a step extracts is named, too', () => {
  const extract = [{ variable: 'id', from: 'jsonPath', path: '$.id' }] as const;
  expect(variableNamesIn({ ...nothing, extract })).toEqual(['id']);
});

test('secrets and facts of the run are no variables', () => {
  const body = '{{secret:token}} {{$uuid}} {{$now}}';
  expect(variableNamesIn({ ...nothing, body })).toEqual([]);
});
