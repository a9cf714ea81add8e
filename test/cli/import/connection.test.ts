/**
 * Tests monitors of other tools that verify certificates in their own way, present a certificate, or use a proxy.
 * Everything is imported except keys and passwords.
 */
import { convertText } from '../convert';

const url = 'https://shop.example.com/';
const PEM = '-----BEGIN CERTIFICATE-----\nMIIB+A==\n-----END CERTIFICATE-----\n';
const KEY = '-----BEGIN PRIVATE KEY-----\nMIGHhunter2\n-----END PRIVATE KEY-----\n';

function convertKuma(fields: object) {
  const monitor = { id: 1, name: 'Shop', type: 'http', url, ...fields };
  return convertText('uptime-kuma', { monitorList: [monitor] });
}

function convertGatus(client: object, more: object = {}) {
  const endpoint = { name: 'Shop', url, conditions: ['[STATUS] == 200'], client, ...more };
  return convertText('gatus', { endpoints: [endpoint] });
}

const MUTUAL = { authMethod: 'mtls', tlsCa: PEM, tlsCert: PEM, tlsKey: KEY };
const IDENTITY = { certificate: PEM, key: '{{secret:SHOP_TLS_KEY}}' };

test('client certificates of Uptime Kuma are imported without their keys', async () => {
  const found = await convertKuma(MUTUAL);
  expect(found.monitors[0].tls).toEqual({ trust: { ca: PEM }, ...IDENTITY, warnDays: [] });
  expect(found.told).toContain(
    'Shop: presents a client certificate: set the secret SHOP_TLS_KEY to its private key',
  );
  const unchecked = await convertKuma({ ...MUTUAL, ignoreTls: true, expiryNotification: true });
  expect(unchecked.monitors[0].tls).toEqual({
    trust: 'unchecked',
    ...IDENTITY,
    warnDays: [21, 14, 7],
  });
  expect(JSON.stringify([found, unchecked])).not.toContain('hunter2');
});

test.each([
  [{ ...MUTUAL, authMethod: null }, 'has tlsCa, tlsCert, tlsKey without mTLS'],
  [{ ...MUTUAL, tlsCa: 'hunter2' }, 'trusts an authority in tlsCa that is not a PEM certificate'],
  [{ ...MUTUAL, tlsKey: null }, 'has a client certificate that is not PEM or has no key'],
  [{ ...MUTUAL, tlsCert: `${PEM}${KEY}` }, 'has a client certificate that is not PEM'],
])(
  'the notes of an import name what cannot be imported from Uptime Kuma: %j',
  async (fields, words) => {
    const found = await convertKuma(fields);
    expect(found.told).toContainEqual(expect.stringContaining(words));
    expect(JSON.stringify(found)).not.toContain('hunter2');
  },
);

test('client.tls and client.insecure of Gatus are imported as TLS settings', async () => {
  const tls = { 'certificate-file': '/etc/tls.crt', 'private-key-file': '/etc/tls.key' };
  const found = await convertGatus({ insecure: true, tls });
  expect(found.monitors[0].tls).toEqual({
    trust: 'unchecked',
    certificate: '{{secret:SHOP_TLS_CERTIFICATE}}',
    key: '{{secret:SHOP_TLS_KEY}}',
  });
  expect(found.told).toContainEqual(
    expect.stringContaining('set the secrets SHOP_TLS_CERTIFICATE and SHOP_TLS_KEY'),
  );
  const both = await convertGatus(
    { tls: { ...tls, renegotiation: 'once' } },
    { conditions: ['[CERTIFICATE_EXPIRATION] > 48h'] },
  );
  expect(both.monitors[0].tls).toMatchObject({ warnDays: [2], key: '{{secret:SHOP_TLS_KEY}}' });
  expect(both.told).toContain('Shop: client.tls.renegotiation has no counterpart');
  const kind = await convertGatus({ insecure: true, tls }, { url: 'tcp://shop.example.com:25' });
  expect(kind.monitors[0].tls).toBeUndefined();
  expect(kind.told).toContain('Shop: client.tls has no counterpart and is left out');
});

test('skipSSL of Checkly turns off certificate checks', async () => {
  const request = { url, method: 'GET', skipSSL: true };
  const found = await convertText('checkly', [{ name: 'Shop', checkType: 'API', request }]);
  expect(found.monitors[0].tls).toEqual({ trust: 'unchecked' });
  expect(found.told).toContainEqual(expect.stringContaining('ignores certificates'));
});

const LISTED =
  'Shop: goes through a proxy: list it in KEEPWATCH_PROXIES as proxy-example-com-3128=http://proxy.example.com:3128, with its user and password if it asks for them';

test('proxies of Uptime Kuma are named in the notes of the import', async () => {
  const proxy = { id: 4, protocol: 'http', host: 'proxy.example.com', port: 3128, auth: true };
  const proxyList = [{ ...proxy, username: 'ada', password: 'hunter2' }];
  const monitor = { id: 1, name: 'Shop', type: 'http', url, proxyId: 4 };
  const found = await convertText('uptime-kuma', { proxyList, monitorList: [monitor] });
  expect(found.monitors[0].proxy).toBe('proxy-example-com-3128');
  expect(found.told).toContain(LISTED);
  const old = [{ ...proxy, protocol: 'socks4' }];
  const other = await convertText('uptime-kuma', { proxyList: old, monitorList: [monitor] });
  expect(other.monitors[0].proxy).toBeUndefined();
  expect(other.told).toContainEqual(expect.stringContaining('not http, https or socks5'));
  expect(JSON.stringify([found, other])).not.toContain('hunter2');
});

test('proxies on two ports of a host get different names', async () => {
  const proxy = { protocol: 'http', host: 'a-long-name-of-a-proxy.corp.example.com' };
  const proxyList = [3128, 8080].map((port, index) => ({ ...proxy, id: index + 1, port }));
  const monitorList = [1, 2].map((id) => ({ id, name: `M${id}`, type: 'http', url, proxyId: id }));
  const { monitors } = await convertText('uptime-kuma', { proxyList, monitorList });
  expect(monitors.map((monitor: { readonly proxy: string }) => monitor.proxy)).toEqual([
    'a-long-name-of-a-proxy-corp-3128',
    'a-long-name-of-a-proxy-corp-8080',
  ]);
});

test('client.proxy-url of Gatus becomes the name of a proxy', async () => {
  const found = await convertGatus({ 'proxy-url': 'http://ada:hunter2@proxy.example.com:3128' });
  expect(found.monitors[0].proxy).toBe('proxy-example-com-3128');
  expect(found.told).toContain(LISTED);
  expect(JSON.stringify(found)).not.toContain('hunter2');
});

test('the IP version of Uptime Kuma and Checkly becomes ipFamily', async () => {
  const monitor = { id: 1, name: 'Shop', type: 'http', url, ipFamily: 'ipv6' };
  const kuma = await convertText('uptime-kuma', { monitorList: [monitor] });
  const request = { url, method: 'GET', ipFamily: 'IPv6' };
  const checkly = await convertText('checkly', [{ name: 'Shop', checkType: 'API', request }]);
  expect([kuma, checkly].map(({ monitors }) => monitors[0].ipFamily)).toEqual(['6', '6']);
});
