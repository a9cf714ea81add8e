/**
 * Tests monitors of other tools that fetch tokens. Everything is imported except the client secret, which is never
 * written.
 */
import { convertText } from '../convert';

const SECRET = 'hunter2';
const url = 'https://shop.example.com/';
const TOLD = 'Shop: fetches tokens: set the secret SHOP_CLIENT_SECRET to the secret of the client';
const LEFT_OUT =
  'Shop: fetches tokens without a client, or from a URL that is invalid or contains secrets; left out';

function convertKuma(fields: object) {
  const oauth = {
    authMethod: 'oauth2-cc',
    oauth_auth_method: 'client_secret_basic',
    oauth_client_id: 'keepwatch',
    oauth_client_secret: SECRET,
    oauth_token_url: 'https://idp.example.com/token',
  };
  const monitor = { id: 1, name: 'Shop', type: 'http', url, ...oauth, ...fields };
  return convertText('uptime-kuma', { monitorList: [monitor] });
}

function convertGatus(oauth2: object, more: object = {}) {
  const client = { 'client-id': 'keepwatch', 'client-secret': SECRET, ...oauth2 };
  const endpoint = { name: 'Shop', url, conditions: [], client: { oauth2: client }, ...more };
  return convertText('gatus', { endpoints: [endpoint] });
}

const AUTH = {
  type: 'oauth2',
  tokenUrl: 'https://idp.example.com/token',
  clientId: 'keepwatch',
  clientSecret: '{{secret:SHOP_CLIENT_SECRET}}',
};

test('client credentials of Uptime Kuma become references to secrets', async () => {
  const plain = await convertKuma({});
  expect(plain.monitors[0].auth).toEqual(AUTH);
  expect(plain.told).toContain(TOLD);
  const whole = await convertKuma({
    oauth_auth_method: 'client_secret_post',
    oauth_scopes: 'read write',
    oauth_audience: 'https://api.example.com',
  });
  expect(whole.monitors[0].auth).toEqual({
    ...AUTH,
    scope: 'read write',
    audience: 'https://api.example.com',
    sendAs: 'body',
  });
  expect(JSON.stringify([plain, whole])).not.toContain(SECRET);
});

test('client.oauth2 of Gatus becomes auth of type oauth2', async () => {
  const oauth2 = { 'token-url': 'https://idp.example.com/token', scopes: ['read', 'write'] };
  const found = await convertGatus(oauth2);
  expect(found.monitors[0].auth).toEqual({ ...AUTH, scope: 'read write' });
  expect(found.told).toContain(TOLD);
  expect(JSON.stringify(found)).not.toContain(SECRET);
  const kind = await convertGatus(oauth2, { url: 'tcp://shop.example.com:25' });
  expect(kind.monitors[0].auth).toBeUndefined();
  expect(kind.told).toContain('Shop: client.oauth2 has no counterpart and is left out');
});

test.each([
  [{ oauth_client_id: '' }, LEFT_OUT],
  [{ oauth_token_url: 'idp' }, LEFT_OUT],
  [{ oauth_token_url: `https://ada:${SECRET}@idp.example.com/token` }, LEFT_OUT],
  [{ oauth_token_url: `https://idp.example.com/token?client_secret=${SECRET}` }, LEFT_OUT],
  [
    { headers: '{"Authorization": "{{token}}"}' },
    'Shop: fetches tokens and has the header Authorization; the tokens are left out',
  ],
  [
    { authMethod: 'ntlm', basic_auth_user: 'ada' },
    'Shop: signs in by ntlm; that has no counterpart',
  ],
])(
  'the notes of an import name what cannot be imported from OAuth settings: %j',
  async (fields, words) => {
    const found = await convertKuma(fields);
    expect(found.monitors[0].auth).toBeUndefined();
    expect(found.told).toContain(words);
    expect(JSON.stringify(found)).not.toContain(SECRET);
  },
);
