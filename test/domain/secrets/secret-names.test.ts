/** Every secret that a definition names is fetched, and none that it does not name. */
import { secretNamesIn } from '../../../src/domain/secrets/secret-names';

test('names stand in header values and bodies of all steps, and each comes once', () => {
  const names = secretNamesIn([
    {
      headers: [{ name: 'authorization', value: 'Bearer {{secret:token}}' }],
      body: { deep: ['{{secret:pin}}'] },
    },
    { headers: [], body: '{{secret:token}} {{secret:other}}' },
  ]);
  expect(names).toEqual(['token', 'pin', 'other']);
});

test('variables and plain text name no secret', () => {
  const headers = [{ name: 'x', value: '{{token}} secret:x' }];
  expect(secretNamesIn([{ headers, body: null }])).toEqual([]);
});
