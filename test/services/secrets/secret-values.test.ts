/** Tests reading the secrets of an account. Each version is decrypted once. */
import { STORED_SECRET_PURPOSE, secretContext } from '../../../src/contracts/seal-contexts';
import { createTextSealer } from '../../../src/platform/sealing';
import { createSecretValues } from '../../../src/services/secrets/secret-values';

const sealer = createTextSealer(['ab'.repeat(32)], STORED_SECRET_PURPOSE);

type Needs = Parameters<typeof createSecretValues>[0];

function accountWith(secrets: Map<string, { version: number; value: string }>) {
  let lists = 0;
  const stores = {
    secrets: {
      describeState: async () =>
        JSON.stringify([...secrets].map(([name, { version }]) => [name, version])),
      list: async (accountId: string) => {
        lists += 1;
        const items = [...secrets].map(([name, { version, value }]) => {
          const sealed = sealer.seal(value, secretContext(accountId, name, version));
          return { accountId, name, version, sealed, createdAtMs: 0, updatedAtMs: 0 };
        });
        return { items, hasMore: false };
      },
    },
  };
  // Contains only the stores that the tests use.
  const needs = { stores, sealers: { stored: sealer } } as unknown as Needs;
  return { read: createSecretValues(needs), listed: () => lists };
}

test('the secrets of an account are decrypted once, and again after one of the secrets has changed', async () => {
  const secrets = new Map([['a', { version: 1, value: 'first' }]]);
  const { read, listed } = accountWith(secrets);
  const before = await read('acc_1');
  expect(before?.values).toEqual(['first']);
  expect(await read('acc_1')).toEqual(before);
  expect(listed()).toBe(1);
  secrets.set('a', { version: 2, value: 'second' });
  const after = await read('acc_1');
  expect(after?.values).toEqual(['second']);
  expect(after?.id).not.toBe(before?.id);
  expect(listed()).toBe(2);
});

test('accounts with secrets of the same name have separate values', async () => {
  const { read } = accountWith(new Map([['a', { version: 1, value: 'first' }]]));
  const [one, other] = [await read('acc_1'), await read('acc_2')];
  expect(one?.id).not.toBe(other?.id);
});
