/** Tests that a step gets every variable that it names, and no others. */
import { listStepVariableNames } from '../../../src/domain/definitions/variable-names';

const nothing = { url: 'https://a.example/', headers: [], body: null, extract: [], assertions: [] };

test('variable names are found in URL, header values, body and expected values, each once', () => {
  const names = listStepVariableNames({
    url: 'https://{{host}}/{{path}}?again={{host}}',
    headers: [{ name: 'x-a', value: '{{token}}' }],
    body: { deep: ['{{user}}', { name: '{{token}}' }], '{{key}}': 1 },
    extract: [],
    assertions: [{ type: 'status', operator: 'equals', value: '{{expected}}', severity: 'fail' }],
  });
  expect(names).toEqual(expect.arrayContaining(['host', 'path', 'token', 'user', 'expected']));
  expect(new Set(names).size).toBe(names.length);
});

test('the variables that a step extracts are among the found names', () => {
  const extract = [{ variable: 'id', from: 'jsonPath', path: '$.id' }] as const;
  expect(listStepVariableNames({ ...nothing, extract })).toEqual(['id']);
});

test('secrets and built-in values of a run are not variables', () => {
  const body = '{{secret:token}} {{$uuid}} {{$now}}';
  expect(listStepVariableNames({ ...nothing, body })).toEqual([]);
});
