/** Tests that every secret that a definition names is fetched, and no other. */
import { NETWORK_KINDS } from '../../src/contracts/kinds';
import { listReferencedSecrets } from '../../src/domain/secrets/secret-names';
import { KIND_SHAPES } from '../../src/kinds/shapes';
import { LEAST } from './support/least';

test('secret names are found in the header values and bodies of all steps, each name once', () => {
  const names = listReferencedSecrets([
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
  expect(listReferencedSecrets([{ headers, body: null }])).toEqual([]);
});

test.each(NETWORK_KINDS)(
  'in a %s check, secrets are found in each field that may contain one',
  (type) => {
    const { secretFields, read } = KIND_SHAPES[type];
    for (const name of secretFields) {
      const value = name === 'headers' ? [{ name: 'x', value: '{{secret:x}}' }] : '{{secret:x}}';
      const { check } = read({ ...LEAST[type], [name]: value });
      expect(listReferencedSecrets([check])).toEqual(['x']);
    }
    expect(listReferencedSecrets([read(LEAST[type]).check])).toEqual([]);
  },
);
