/** Tests that credentials in a file of another tool appear in no file that an import writes, and in no note. */
import { convertText } from '../convert';

const SECRET = 'hunter2';
const BASIC = Buffer.from(`ada:${SECRET}`).toString('base64');

/** Each row: a name, a request with a secret as any tool writes it, and the expected import. */
const CASES: readonly (readonly [string, object, object])[] = [
  [
    'a bearer token',
    { headers: { Authorization: `Bearer ${SECRET}` } },
    { headers: { Authorization: 'Bearer {{secret:SHOP_AUTHORIZATION}}' } },
  ],
  [
    'basic credentials',
    { headers: { authorization: `Basic ${BASIC}` } },
    { headers: { authorization: 'Basic {{secret:SHOP_BASIC_AUTH}}' } },
  ],
  [
    'an API key',
    { headers: { 'X-Api-Key': SECRET, Accept: '*/*' } },
    { headers: { 'X-Api-Key': '{{secret:SHOP_X_API_KEY}}', Accept: '*/*' } },
  ],
  [
    'a cookie',
    { headers: { Cookie: `session=${SECRET}` } },
    { headers: { Cookie: '{{secret:SHOP_COOKIE}}' } },
  ],
  [
    'a password in the URL',
    { url: `https://ada:${SECRET}@shop.example.com/a?b=1` },
    {
      url: 'https://shop.example.com/a?b=1',
      auth: { type: 'basic', user: 'ada', password: '{{secret:SHOP_PASSWORD}}' },
    },
  ],
  [
    'a token in the query',
    { url: `https://shop.example.com/?page=2&access_token=${SECRET}#top` },
    { url: 'https://shop.example.com/?page=2&access_token=${SHOP_ACCESS_TOKEN}#top' },
  ],
  [
    'a key in the query',
    { url: `https://shop.example.com/?key=${SECRET}` },
    { url: 'https://shop.example.com/?key=${SHOP_KEY}' },
  ],
  [
    'a password in JSON',
    { method: 'POST', body: JSON.stringify({ user: 'ada', login: { password: SECRET } }) },
    { body: { user: 'ada', login: { password: '{{secret:SHOP_PASSWORD}}' } } },
  ],
  [
    'a secret in a form',
    { method: 'POST', body: `user=ada&client_secret=${SECRET}` },
    { body: 'user=ada&client_secret={{secret:SHOP_CLIENT_SECRET}}' },
  ],
  [
    'a password in XML',
    { method: 'POST', body: `<login><password>${SECRET}</password></login>` },
    { body: '<login><password>{{secret:SHOP_PASSWORD}}</password></login>' },
  ],
];

const encodingOf = (body: unknown) =>
  typeof body === 'string' && body.startsWith('{') ? 'json' : 'form';

/** For each tool, a function that writes the same request in the format of the tool. */
const TOOLS: Readonly<Record<string, (request: Record<string, unknown>) => unknown>> = {
  'uptime-kuma': ({ headers = {}, body, ...request }) => ({
    monitorList: [
      {
        id: 1,
        name: 'Shop',
        type: 'http',
        ...request,
        headers: JSON.stringify(headers),
        ...(body === undefined ? {} : { body, httpBodyEncoding: encodingOf(body) }),
      },
    ],
  }),
  gatus: (request) => ({
    endpoints: [{ name: 'Shop', conditions: ['[STATUS] == 200'], ...request }],
  }),
  checkly: ({ headers = {}, ...request }) => [
    {
      name: 'Shop',
      checkType: 'API',
      request: {
        ...request,
        bodyType: 'JSON',
        headers: Object.entries(headers as object).map(([key, value]) => ({ key, value })),
      },
    },
  ],
};

const all = Object.keys(TOOLS).flatMap((tool) => CASES.map((one) => [tool, ...one] as const));

it.each(all)(
  'an import from %s keeps %s out of the file',
  async (tool, _what, request, expected) => {
    const given = { url: 'https://shop.example.com/', ...request };
    const { monitors, told, env = [] } = await convertText(tool, TOOLS[tool]?.(given));
    expect(monitors[0]).toMatchObject(expected);
    const text = JSON.stringify([monitors, told, env]);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(BASIC);
    const [, name] = /(?:secret:|\$\{)(\w+)/.exec(JSON.stringify(expected)) ?? [];
    expect(told.join('\n')).toContain(String(name));
    if (text.includes('${')) expect(env).toContain(name);
  },
);

it.each([
  ['the URL of a WebSocket', { url: `wss://ada:${SECRET}@shop.example.com/` }],
  ['a message', { url: 'wss://shop.example.com/', body: `{"password":"${SECRET}"}` }],
  ['the text sent by TCP', { url: 'tcp://shop.example.com:1', body: `{"password":"${SECRET}"}` }],
])('an import of %s writes no password', async (_what, endpoint) => {
  const whole = { name: 'Shop', conditions: ['[BODY] == pat(*a*)'], ...endpoint };
  const result = await convertText('gatus', { endpoints: [whole] });
  expect(JSON.stringify(result)).toContain('shop.example.com');
  expect(JSON.stringify(result)).not.toContain(SECRET);
});

it('an import gives each secret of each monitor a name of its own', async () => {
  const monitor = (id: number, headers: object) => ({
    id,
    name: 'Shop',
    type: 'http',
    url: 'https://shop.example.com/',
    headers: JSON.stringify(headers),
  });
  const { monitors } = await convertText('uptime-kuma', {
    monitorList: [
      monitor(1, { 'X-Token': 'one', 'X-Token-': 'two' }),
      monitor(2, { 'X-Token': 'one' }),
    ],
  });
  const names = monitors.flatMap(({ headers }: { headers: object }) => Object.values(headers));
  expect(new Set(names).size).toBe(3);
});

it('an import keeps existing references, and values that only sound like secrets', async () => {
  const headers = { Authorization: 'Bearer ${API_TOKEN}' };
  const body = { token_type: 'bearer', password: '' };
  const { monitors } = await convertText('gatus', {
    endpoints: [
      {
        name: 'Shop',
        url: 'https://shop.example.com/?key=${API_KEY}',
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        conditions: ['[STATUS] == 200'],
      },
    ],
  });
  expect(monitors[0]).toMatchObject({
    url: 'https://shop.example.com/?key=${API_KEY}',
    headers: { Authorization: 'Bearer ${API_TOKEN}' },
    body,
  });
});

it('an import lists only variables that the written file uses', async () => {
  const { env } = await convertText('gatus', {
    endpoints: [
      {
        name: 'Shop',
        url: 'https://ada:${USER_PASS}@shop.example.com/${PLACE}',
        conditions: ['[STATUS] == 200'],
      },
      { name: 'Odd', url: 'http://shop.example.com:6667/${OTHER}', conditions: [] },
    ],
  });
  expect(env).toEqual(['PLACE']);
});

it('Checkly variables with secret-like names come from the environment', async () => {
  const { monitors, env } = await convertText('checkly', [
    {
      name: 'Shop',
      checkType: 'API',
      environmentVariables: [
        { key: 'API_TOKEN', value: SECRET },
        { key: 'PLACE', value: 'here' },
      ],
      request: { url: 'https://shop.example.com/{{PLACE}}' },
    },
  ]);
  expect(env).toEqual(['SHOP_API_TOKEN']);
  expect(monitors[0].variables).toEqual({
    API_TOKEN: { value: '${SHOP_API_TOKEN}', secret: true },
    PLACE: 'here',
  });
});
