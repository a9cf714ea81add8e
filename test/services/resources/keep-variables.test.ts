/**
 * Tests secret variables when a definition changes. A stored value is kept for the origins with which it was saved, and
 * for no other origin.
 */
import type { Auth } from '../../../src/contracts/definition';
import { STORED_SECRET_PURPOSE, variableContext } from '../../../src/contracts/seal-contexts';
import { AppError } from '../../../src/platform/errors';
import { createTextSealer } from '../../../src/platform/sealing';
import { restoreSealedVariables } from '../../../src/services/resources/restore-variables';

const sealer = createTextSealer(['ab'.repeat(32)], STORED_SECRET_PURPOSE);
// The sealer for runs is the same, because encryption for runs is not used here.
const needs = { sealers: { stored: sealer, runIn: () => sealer } };
const [accountId, id] = ['acc_1', 'mon_1'];

interface Addresses {
  readonly urls: readonly string[];
  readonly plain?: Readonly<Record<string, string>>;
}

/** Saved definitions by name. The tests change them so that requests go to other origins. */
const BEFORE: Readonly<Record<string, Addresses>> = {
  'a literal URL': { urls: ['https://shop.example/login'] },
  'a base URL': { urls: ['{{base}}/login'], plain: { base: 'https://shop.example' } },
  'a host': { urls: ['https://{{host}}/login'], plain: { host: 'shop.example' } },
  'a port': { urls: ['https://shop.example:{{port}}/'], plain: { port: '443' } },
  'a suffix': { urls: ['{{base}}{{tail}}'], plain: { base: 'https://shop', tail: '.example' } },
  'two steps': { urls: ['https://shop.example/a', 'https://api.shop.example/b'] },
};
const MOVES: Readonly<Record<string, (before: Addresses) => Addresses>> = {
  'another host': ({ urls }) => ({ urls: urls.map(() => 'https://evil.example/login') }),
  'another port': () => ({ urls: ['https://shop.example:8443/login'] }),
  'another scheme': () => ({ urls: ['http://shop.example/login'] }),
  'a subdomain': () => ({ urls: ['https://evil.shop.example/login'] }),
  'an additional step': ({ urls, plain = {} }) => ({
    urls: [...urls, 'https://evil.example/'],
    plain,
  }),
  'a new first step': ({ urls, plain = {} }) => ({
    urls: ['https://evil.example/', ...urls],
    plain,
  }),
  'another base URL': () => ({ urls: ['{{base}}/login'], plain: { base: 'https://evil.example' } }),
  'a host in a variable': () => ({ urls: ['https://{{host}}/'], plain: { host: 'evil.example' } }),
  'a suffix that changes the host': () => ({
    urls: ['{{base}}{{tail}}'],
    plain: { base: 'https://shop.example', tail: '.evil.example' },
  }),
  'a port in a variable': () => ({ urls: ['https://shop.example:{{p}}/'], plain: { p: '8443' } }),
  'a base URL that a step extracts': () => ({ urls: ['{{found}}/login'] }),
  'a host that a step extracts': () => ({ urls: ['https://{{found}}.shop.example/login'] }),
};
const KINDS = ['monitor', 'scenario'] as const;

function resourceOf(kind: (typeof KINDS)[number], { urls, plain = {} }: Addresses) {
  const [first = ''] = urls;
  const addressed =
    kind === 'monitor'
      ? { step: { url: first }, steps: urls.slice(1).map((url) => ({ url })) }
      : { steps: urls.map((url) => ({ url })) };
  return { ...addressed, plain: Object.entries(plain).map(([name, value]) => ({ name, value })) };
}

function change(
  kind: (typeof KINDS)[number],
  { from, to, value }: { from: Addresses; to: Addresses; value: string | null },
) {
  const { plain: plainBefore, ...before } = resourceOf(kind, from);
  const { plain: plainAfter, ...after } = resourceOf(kind, to);
  const sealed = sealer.seal('hunter2', variableContext(accountId, id, 'pin'));
  const kept = { name: 'pin', value: sealed, secret: true as const };
  const stored = { accountId, id, ...before, variables: [...plainBefore, kept] };
  const sent = { name: 'pin', value, secret: true as const };
  return restoreSealedVariables(needs, stored, { ...after, variables: [...plainAfter, sent] });
}

function refusalOf(work: () => unknown): readonly (readonly [string, string])[] {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error.errors.map(({ path, code }) => [path, code]);
    throw error;
  }
  return [];
}

const everyMove = KINDS.flatMap((kind) =>
  Object.entries(BEFORE).flatMap(([saved, from]) =>
    Object.entries(MOVES).map(([move, moved]) => ({ kind, saved, move, from, to: moved(from) })),
  ),
);

test.each(everyMove)(
  'a $kind with $saved requires the value of a secret variable again: $move',
  ({ kind, from, to }) => {
    const again = [['variables.pin.value', 'required']];
    expect(refusalOf(() => change(kind, { from, to, value: null }))).toEqual(again);
    expect(refusalOf(() => change(kind, { from, to, value: 'given' }))).toEqual([]);
  },
);

test.each(KINDS)(
  'a %s whose origins stay the same keeps the value of a secret variable',
  (kind) => {
    for (const from of Object.values(BEFORE)) {
      const to = { ...from, urls: from.urls.map((url) => `${url}?page=2`) };
      expect(refusalOf(() => change(kind, { from, to, value: null }))).toEqual([]);
    }
  },
);

test('a secret value that was entered for TLS is required again before it is sent unencrypted', () => {
  const url = 'tcp://redis.example:6380';
  const stepOf = (useTls: boolean) => ({ step: { url, settings: { useTls, startTls: null } } });
  const sealed = sealer.seal('hunter2', variableContext(accountId, id, 'pin'));
  const kept = { name: 'pin', value: sealed, secret: true as const };
  const save = (from: boolean, to: boolean) => () =>
    restoreSealedVariables(
      needs,
      { accountId, id, ...stepOf(from), variables: [kept] },
      { ...stepOf(to), variables: [{ name: 'pin', value: null, secret: true as const }] },
    );
  expect(refusalOf(save(true, false))).toEqual([['variables.pin.value', 'required']]);
  expect(save(true, true)).not.toThrow();
});

test('the token URL of a step or a scenario counts as an origin', () => {
  const sealed = sealer.seal('hunter2', variableContext(accountId, id, 'pin'));
  const kept = { name: 'pin', value: sealed, secret: true as const };
  const authOf = (tokenUrl: string): Auth => ({
    type: 'oauth2',
    grant: 'clientCredentials',
    tokenUrl,
    clientId: '{{pin}}',
    clientSecret: '',
    sendAs: 'header',
  });
  const url = 'https://shop.example/';
  const OWN: Readonly<Record<string, (tokenUrl: string) => object>> = {
    monitor: (tokenUrl) => ({ step: { url, auth: authOf(tokenUrl) } }),
    step: (tokenUrl) => ({ steps: [{ url, auth: authOf(tokenUrl) }] }),
    scenario: (tokenUrl) => ({ steps: [{ url }], auth: authOf(tokenUrl) }),
  };
  for (const build of Object.values(OWN)) {
    const save = (tokenUrl: string) => () =>
      restoreSealedVariables(
        needs,
        { accountId, id, ...build('https://idp.example/token'), variables: [kept] },
        { ...build(tokenUrl), variables: [{ name: 'pin', value: null, secret: true as const }] },
      );
    expect(save('https://idp.example/v2/token')).not.toThrow();
    const again = [['variables.pin.value', 'required']];
    expect(refusalOf(save('https://evil.example/token'))).toEqual(again);
  }
});
