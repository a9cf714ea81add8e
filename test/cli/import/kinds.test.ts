/** Tests the import of checks of other types than HTTP, from Uptime Kuma and Gatus. */
import { convertText, convertYaml } from '../convert';

const KUMA = { id: 1, name: 'Server', interval: 60, hostname: 'a.example.com', active: true };

test.each([
  [
    { type: 'port', port: 5432, timeout: 8, maxretries: 2 },
    { type: 'tcp', host: 'a.example.com', port: 5432, timeoutMs: 8_000, failuresBeforeDown: 3 },
  ],
  [
    {
      type: 'dns',
      hostname: 'example.com',
      port: 53,
      dns_resolve_server: '1.1.1.1, 8.8.8.8',
      dns_resolve_type: 'MX',
    },
    {
      type: 'dns',
      host: 'example.com',
      record: 'MX',
      servers: ['1.1.1.1', '8.8.8.8'],
      agree: 'any',
      failuresBeforeDown: 1,
    },
  ],
  [
    { type: 'ping', ping_count: 1 },
    { type: 'ping', host: 'a.example.com', count: 1, failuresBeforeDown: 1 },
  ],
  [
    {
      type: 'websocket-upgrade',
      hostname: null,
      url: 'wss://a.example.com',
      wsSubprotocol: 'mqtt',
    },
    {
      type: 'websocket',
      url: 'wss://a.example.com',
      subprotocol: 'mqtt',
      failuresBeforeDown: 1,
    },
  ],
  [
    {
      type: 'grpc-keyword',
      grpcUrl: 'a.example.com:50051',
      grpcServiceName: 'Health',
      grpcMethod: 'check',
      grpcBody: '{"service": "shop.Orders"}',
      grpcEnableTls: true,
      keyword: 'SERVING',
    },
    {
      type: 'grpc',
      host: 'a.example.com',
      port: 50_051,
      useTls: true,
      service: 'shop.Orders',
      failuresBeforeDown: 1,
    },
  ],
])('a monitor of Uptime Kuma is imported as a check of its type: %j', async (monitor, expected) => {
  const { monitors, told } = await convertText('uptime-kuma', {
    monitorList: [{ ...KUMA, ...monitor }],
  });
  expect(monitors).toEqual([{ key: 'server', name: 'Server', interval: 60, ...expected }]);
  expect(told).toEqual([]);
});

test.each([
  [
    'tcp://a.example.com:25',
    ['[CONNECTED] == true', '[RESPONSE_TIME] < 900', '[BODY] == pat(220*)'],
    {
      type: 'tcp',
      host: 'a.example.com',
      port: 25,
      timeoutMs: 900,
      expect: expect.stringContaining('220'),
    },
  ],
  [
    'tls://a.example.com:993',
    ['[CONNECTED] == true', '[CERTIFICATE_EXPIRATION] > 240h'],
    { type: 'tls', host: 'a.example.com', port: 993, tls: { warnDays: [10] } },
  ],
  [
    'starttls://[2001:db8::1]:587',
    ['[CONNECTED] == true'],
    { type: 'tls', host: '2001:db8::1', port: 587, startTls: 'smtp' },
  ],
  [
    'icmp://a.example.com',
    ['[CONNECTED] == true', '[RESPONSE_TIME] < 100'],
    { type: 'ping', host: 'a.example.com', p95Ms: 100 },
  ],
  [
    'wss://a.example.com/events',
    ['[CONNECTED] == true', '[BODY] == pat(*ready*)'],
    {
      type: 'websocket',
      url: 'wss://a.example.com/events',
      expect: expect.stringContaining('ready'),
    },
  ],
  [
    'grpcs://a.example.com:443',
    ['[CONNECTED] == true', '[BODY] == SERVING'],
    { type: 'grpc', host: 'a.example.com', port: 443, useTls: true },
  ],
])(
  'a Gatus endpoint with %s is imported as a check of its type',
  async (url, conditions, expected) => {
    const yaml = JSON.stringify({ endpoints: [{ name: 'server', url, conditions }] });
    const { monitors, told } = await convertYaml('gatus', yaml);
    expect(monitors).toEqual([{ key: 'server', name: 'server', interval: 60, ...expected }]);
    expect(told).toEqual([]);
  },
);

test('the URL of a Gatus DNS endpoint becomes its name server', async () => {
  const endpoint = {
    name: 'server',
    url: '8.8.8.8',
    dns: { 'query-name': 'example.com.', 'query-type': 'A' },
    conditions: ['[DNS_RCODE] == NOERROR', '[BODY] == 192.0.2.1'],
  };
  const { monitors, told } = await convertText('gatus', { endpoints: [endpoint] });
  expect(monitors).toEqual([
    {
      key: 'server',
      name: 'server',
      interval: 60,
      type: 'dns',
      host: 'example.com',
      record: 'A',
      servers: ['8.8.8.8'],
      expect: expect.stringContaining(String.raw`192\.0\.2\.1`),
    },
  ]);
  expect(told).toEqual([]);
});

test('a gRPC call of Uptime Kuma to another method than the health check is left out', async () => {
  const call = { grpcServiceName: 'Orders', grpcMethod: 'list', grpcUrl: 'a.example.com:50051' };
  const { monitors, told } = await convertText('uptime-kuma', {
    monitorList: [
      { ...KUMA, type: 'grpc-keyword', ...call },
      { ...KUMA, id: 2, type: 'ping' },
    ],
  });
  expect(monitors).toMatchObject([{ type: 'ping' }]);
  expect(told).toEqual(['Server: calls Orders/list; here gRPC checks only ask for the health']);
});

test.each([
  [
    ['[STATUS] == 200', '[DOMAIN_EXPIRATION] > 720h'],
    ['server', 'server-domain'],
  ],
  [['[DOMAIN_EXPIRATION] > 720h', '[DOMAIN_EXPIRATION] > 168h'], ['server-domain']],
])(
  'a Gatus endpoint with the conditions %j gets a monitor of its domain',
  async (conditions, keys) => {
    const endpoint = { name: 'server', url: 'https://www.example.co.uk/health', conditions };
    const { monitors, told } = await convertText('gatus', { endpoints: [endpoint] });
    expect(monitors.map(({ key }: { key: string }) => key)).toEqual(keys);
    expect(monitors.at(-1)).toEqual({
      key: 'server-domain',
      name: 'server domain',
      type: 'domain',
      host: 'example.co.uk',
      warnDays: conditions.length === 2 && keys.length === 1 ? [30, 7] : [30],
    });
    expect(told).toEqual([]);
  },
);

test('the notes of an import name fields that Keepwatch does not have', async () => {
  const endpoint = {
    name: 'server',
    url: 'tls://a.example.com:443',
    body: 'hello',
    conditions: ['[STATUS] == 200', '[BODY] == pat(*a*)'],
  };
  const { told } = await convertText('gatus', { endpoints: [endpoint] });
  expect(told).toEqual([
    'server: condition [STATUS] == 200 has no counterpart',
    'server: body has no counterpart and is left out',
    'server: a condition on the body has no counterpart',
  ]);
});
