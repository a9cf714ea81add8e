/** Tests which values a definition inherits from its environment and its account. */
import fc from 'fast-check';
import type { SentStep } from '../../../src/contracts/definition';
import type { Inherited } from '../../../src/contracts/definitions/inherited';
import {
  inherit,
  listEffectiveVariables,
  NOTHING_INHERITED,
  withSecretNames,
} from '../../../src/domain/definitions/inherit';
import { propertyOptions } from '../../support/property-runs';

const layer = (
  variables: Record<string, string>,
  secrets: Record<string, string> = {},
): Inherited => ({
  variables: Object.entries(variables).map(([name, value]) => ({ name, value })),
  secrets: Object.entries(secrets).map(([alias, name]) => ({ alias, name })),
});

const names = ['a', 'b', 'c', 'd'] as const;
const values = fc.dictionary(fc.constantFrom(...names), fc.string());

test('each variable has the value of the resource, else of the environment, else of the account', () => {
  fc.assert(
    fc.property(values, values, values, (own, environment, account) => {
      const variables = Object.entries(own).map(([name, value]) => ({ name, value }));
      const wanted = names.filter((name) => !(name in own));
      const { inherited, missing } = inherit([layer(environment), layer(account)], {
        variables: wanted,
        secrets: [],
      });
      const effective = listEffectiveVariables({ variables, inherited });
      for (const name of names) {
        const expected = own[name] ?? environment[name] ?? account[name];
        const found = effective.filter((one) => one.name === name);
        expect(found.map(({ value }) => value)).toEqual(expected === undefined ? [] : [expected]);
        expect(missing.includes(name)).toBe(expected === undefined);
      }
    }),
    propertyOptions(200),
  );
});

test('a definition inherits only what it uses, in the order of names', () => {
  const layers = [layer({ b: '2', a: '1', x: '9' }, { key: 'staging-key', other: 'o' })];
  const wanted = { variables: ['b', 'a', 'b'], secrets: ['key', 'plain'] };
  expect(inherit(layers, wanted).inherited).toEqual(
    layer({ a: '1', b: '2' }, { key: 'staging-key' }),
  );
  expect(inherit(layers, { variables: [], secrets: [] }).inherited).toEqual(NOTHING_INHERITED);
});

test('a definition that inherits nothing keeps its own list of variables unchanged', () => {
  const variables = [{ name: 'a', value: '1' }];
  expect(listEffectiveVariables({ variables })).toBe(variables);
  expect(listEffectiveVariables({ variables, inherited: NOTHING_INHERITED })).toBe(variables);
});

const STEP: SentStep = {
  name: '{{secret:key}}',
  method: 'POST',
  url: 'https://example.com/',
  headers: [{ name: 'authorization', value: 'Bearer {{ secret:key }} {{secret:plain}}' }],
  body: { code: '{{$totp:key}}', deep: ['{{secret:key}}', "{{'secret:key'}}", '{{key}}'] },
  assertions: [],
  extract: [],
  timeoutMs: 4000,
  retries: 0,
  followRedirects: true,
  maxRedirects: 10,
  sendTraceparent: false,
  degradedAboveMs: null,
  tlsWarnDays: [],
  cookies: 'keep',
  always: false,
};

test('secrets are renamed in everything that a check sends, and nowhere else', () => {
  const [step] = withSecretNames([STEP], [{ alias: 'key', name: 'staging-key' }]);
  expect(step).toEqual({
    ...STEP,
    headers: [{ name: 'authorization', value: 'Bearer {{secret:staging-key}} {{secret:plain}}' }],
    body: {
      code: '{{$totp:staging-key}}',
      deep: ['{{secret:staging-key}}', "{{'secret:key'}}", '{{key}}'],
    },
  });
  const steps = [STEP];
  expect(withSecretNames(steps)).toBe(steps);
});
