/** Tests the import of request files as scenarios. The command line and the dashboard use the same readers. */
import { convertText, convertYaml, refusedText } from '../convert';

const POSTMAN = {
  info: { name: 'Shop API' },
  variable: [
    { key: 'base-url', value: 'https://shop.example.com' },
    { key: 'apiToken', value: 'hunter2' },
    { key: 'unused', value: 'x' },
  ],
  auth: { type: 'bearer', bearer: { token: '{{apiToken}}' } },
  item: [
    {
      name: 'list',
      request: {
        method: 'GET',
        url: { raw: '{{base-url}}/orders/:id?x=1', variable: [{ key: 'id', value: 7 }] },
      },
    },
    {
      name: 'list',
      protocolProfileBehavior: { followRedirects: false },
      request: {
        method: 'POST',
        auth: { type: 'noauth' },
        header: [{ key: 'X-Api-Key', value: 'hunter2' }],
        url: { protocol: 'https', host: ['shop', 'example', 'com'], path: ['orders'] },
        proxy: { host: 'a' },
        body: {
          mode: 'raw',
          raw: '{"id": {{orderId}}, "trace": "{{$guid}}"}',
          options: { raw: { language: 'json' } },
        },
      },
    },
    {
      name: 'odd',
      request: { method: 'GET', url: '{{base-url}}/odd', body: { mode: 'raw', raw: '{}' } },
    },
    { name: 'bad', request: { method: 'GET', url: 'ftp://shop.example.com/' } },
  ],
};

it('a Postman collection is imported as a scenario', async () => {
  const { scenarios, env, told } = await convertText('postman', POSTMAN);
  expect(scenarios).toEqual([
    {
      key: 'shop-api',
      name: 'Shop API',
      variables: {
        base_url: 'https://shop.example.com',
        apiToken: { value: '${SHOP_API_APITOKEN}', secret: true },
        id: '7',
        orderId: '${orderId}',
      },
      steps: [
        {
          name: 'list',
          method: 'GET',
          url: '{{base_url}}/orders/{{id}}?x=1',
          headers: { Authorization: 'Bearer {{apiToken}}' },
        },
        {
          name: 'list (2)',
          method: 'POST',
          url: 'https://shop.example.com/orders',
          headers: {
            'Content-Type': 'application/json',
            'X-Api-Key': '{{secret:SHOP_API_X_API_KEY}}',
          },
          body: '{"id": {{orderId}}, "trace": "{{$uuid}}"}',
        },
        {
          name: 'odd',
          method: 'GET',
          url: '{{base_url}}/odd',
          headers: { Authorization: 'Bearer {{apiToken}}' },
        },
      ],
    },
  ]);
  expect(env).toEqual(expect.arrayContaining(['orderId', 'SHOP_API_APITOKEN']));
  expect(JSON.stringify([scenarios, env, told])).not.toContain('hunter2');
  expect(told).toEqual(
    expect.arrayContaining([
      'Shop API: Bodies of GET requests are not imported: they cannot be sent.',
      'Shop API: Proxies are not imported: requests are sent directly.',
      expect.stringContaining('Settings of requests are not imported'),
      'Shop API: uses orderId; set them in the environment when you apply',
      'Shop API: bad: is left out: url must begin with http:// or https://',
    ]),
  );
});

const OPENAPI = `
openapi: 3.1.0
info: { title: 订单 }
servers:
  - url: https://{region}.example.com/v1
    variables: { region: { default: api } }
paths:
  /orders:
    get: { summary: List orders }
    post:
      requestBody: { content: { application/json: { example: { text: '{{ name }}' } } } }
  /orders/{order-id}:
    get:
      parameters: [{ name: order-id, in: path, example: 7 }]
`;

it('an OpenAPI document is imported with its read operations, or with all operations if --all is given', async () => {
  const { scenarios, told } = await convertYaml('openapi', OPENAPI);
  expect(scenarios).toMatchObject([
    { key: expect.stringMatching(/^scenario-[0-9a-f]{8}$/), onFailure: 'continue' },
  ]);
  expect(scenarios[0].steps).toHaveLength(1);
  expect(told).toContain('POST /orders: is left out: with --all it is imported, too');
  const all = await convertYaml('openapi', OPENAPI, '--all');
  expect(all.scenarios[0]).toMatchObject({
    variables: { order_id: '7' },
    steps: [
      { url: 'https://api.example.com/v1/orders' },
      { method: 'POST', body: { text: "{{' name '}}" } },
      { url: 'https://api.example.com/v1/orders/{{order_id}}' },
    ],
  });
});

const recorded = (count: number) => ({
  log: {
    pages: [{ title: 'Checkout' }],
    entries: Array.from({ length: count }, (_, index) => ({
      request: {
        method: 'GET',
        url: `https://shop.example.com/api/${index}?q={{x}}`,
        headers: [{ name: 'Authorization', value: 'Bearer hunter2' }],
      },
    })),
  },
});

it('a HAR recording is split into as many scenarios as its steps need', async () => {
  const { scenarios, told } = await convertText('har', recorded(51));
  expect(scenarios).toMatchObject([
    { key: 'checkout', name: 'Checkout' },
    { key: 'checkout-2', name: 'Checkout (2)' },
  ]);
  expect(scenarios[0].steps).toHaveLength(50);
  expect(scenarios[0].steps[0]).toMatchObject({
    url: 'https://shop.example.com/api/0?q=%7B%7Bx%7D%7D',
    headers: { Authorization: 'Bearer {{secret:CHECKOUT_AUTHORIZATION}}' },
  });
  expect(JSON.stringify([scenarios, told])).not.toContain('hunter2');
});

it('the import of requests refuses a file of another or unknown tool', async () => {
  expect(await refusedText('postman', recorded(1))).toContain(
    'is not a file of postman, but one of HAR',
  );
  expect(await refusedText('openapi', { a: 1 })).toContain('OpenAPI file');
});
