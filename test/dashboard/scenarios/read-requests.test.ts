/** Tests that request files of other tools become steps, with notes about everything that cannot be imported. */
import {
  emptyDraft,
  toDraft,
  toDraftStep,
} from '../../../src/dashboard/features/scenarios/draft/draft';
import { toBody } from '../../../src/dashboard/features/scenarios/draft/draft-body';
import { withImported } from '../../../src/dashboard/features/scenarios/draft/draft-changes';

import { toStepFields } from '../../../src/formats/found-requests';
import { readRequests } from '../../../src/formats/read-requests';
import { validate } from '../../../src/schemas/issues';
import { scenarioBody } from '../../../src/schemas/scenario';

function foundIn(file: unknown) {
  const read = readRequests(typeof file === 'string' ? file : JSON.stringify(file));
  if (!read.ok) throw new Error(read.problem);
  return read.found;
}

/** Returns the body for the API of a scenario with all requests of a file. */
function scenarioOf(file: unknown): unknown {
  const { requests, variables } = foundIn(file);
  const draft = withImported(
    emptyDraft(),
    requests.map((one) => toDraftStep(toStepFields(one))),
    variables,
  );
  const body = toBody({ ...draft, name: 'imported' });
  const checked = validate(scenarioBody, body);
  expect(checked.ok ? [] : checked.problems).toEqual([]);
  return body;
}

const HAR = {
  log: {
    entries: [
      {
        _resourceType: 'fetch',
        request: {
          method: 'POST',
          url: 'https://shop.example.com/login?x=1',
          headers: [
            { name: ':authority', value: 'shop.example.com' },
            { name: 'Cookie', value: 'session=1' },
            { name: 'Accept', value: 'application/json' },
          ],
          postData: {
            mimeType: 'application/x-www-form-urlencoded',
            params: [{ name: 'user', value: 'me%40example.com' }],
          },
        },
      },
      {
        _resourceType: 'xhr',
        request: {
          method: 'PUT',
          url: 'https://shop.example.com/cart',
          headers: [],
          postData: { mimeType: 'application/json', text: '{"count":2}' },
        },
      },
      { _resourceType: 'image', request: { method: 'GET', url: 'https://a.example/x.png' } },
      { request: { method: 'CONNECT', url: 'https://a.example/' } },
    ],
  },
};

test('a HAR recording yields its requests without transport headers and assets of the page', () => {
  const { requests, notes } = foundIn(HAR);
  expect(requests.map(({ name, isWanted }) => [name, isWanted])).toEqual([
    ['POST /login', true],
    ['PUT /cart', true],
    ['GET /x.png', false],
  ]);
  expect(notes[0]).toContain('1 left out');
  expect(scenarioOf(HAR)).toMatchObject({
    steps: [
      {
        method: 'POST',
        url: 'https://shop.example.com/login?x=1',
        headers: { Accept: 'application/json' },
        form: { user: 'me@example.com' },
      },
      { method: 'PUT', body: { count: 2 } },
      { method: 'GET' },
    ],
  });
});

const POSTMAN = {
  info: { name: 'Shop' },
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}' }] },
  variable: [
    { key: 'baseUrl', value: 'https://shop.example.com' },
    { key: 'token', value: 't' },
    { key: 'user-name', value: 'ada' },
  ],
  item: [
    {
      name: 'Orders',
      item: [
        {
          name: 'list',
          event: [{ listen: 'test' }],
          request: {
            method: 'GET',
            url: { raw: '{{baseUrl}}/orders' },
            header: [
              { key: 'X-On', value: 'yes' },
              { key: 'X-Off', value: 'no', disabled: true },
            ],
          },
        },
        {
          name: 'search',
          request: {
            method: 'POST',
            auth: {
              type: 'basic',
              basic: [
                { key: 'username', value: '{{user-name}}' },
                { key: 'password', value: 'hunter2' },
              ],
            },
            url: '{{baseUrl}}/graphql',
            body: { mode: 'graphql', graphql: { query: '{ a }', variables: '{"n":1}' } },
          },
        },
        {
          name: 'upload',
          request: {
            method: 'POST',
            auth: { type: 'digest', digest: { username: 'ada', password: '{{shop-password}}' } },
            url: '{{baseUrl}}/files',
            body: {
              mode: 'formdata',
              formdata: [
                { key: 'title', value: 'a', type: 'text' },
                { key: 'file', type: 'file', src: '/x' },
              ],
            },
          },
        },
      ],
    },
  ],
};

test('a Postman collection yields the requests of all folders with inherited authorization', () => {
  expect(scenarioOf(POSTMAN)).toMatchObject({
    variables: { baseUrl: 'https://shop.example.com', token: 't', user_name: 'ada' },
    steps: [
      {
        name: 'list',
        url: '{{baseUrl}}/orders',
        headers: { 'X-On': 'yes', Authorization: 'Bearer {{token}}' },
      },
      {
        name: 'search',
        auth: { type: 'basic', user: '{{user_name}}', password: '{{secret:password}}' },
        graphql: { query: '{ a }', variables: { n: 1 } },
      },
      {
        name: 'upload',
        auth: { type: 'digest', user: 'ada', password: '{{secret:shop_password}}' },
        multipart: [{ name: 'title', value: 'a' }],
      },
    ],
  });
  expect(JSON.stringify(foundIn(POSTMAN))).not.toContain('hunter2');
  expect(foundIn(POSTMAN).notes).toEqual([
    'Scripts are not imported: use assertions and extracted values in their place.',
    'Passwords are not imported: save that of {{user-name}} as the secret password.',
    'Passwords are not imported: save that of ada as the secret shop_password.',
    'Files of forms are not imported: add their content as a part.',
  ]);
});

test('OAuth and AWS authentication of requests is imported without the secrets', () => {
  const request = (name: string, auth: object) => ({
    name,
    request: { method: 'GET', url: 'https://shop.example.com/', auth },
  });
  const client = {
    accessTokenUrl: '{{idp-url}}/token',
    clientId: 'shop',
    clientSecret: 'hunter2',
    scope: 'read',
  };
  const file = {
    info: { name: 'Shop' },
    variable: [{ key: 'idp-url', value: 'https://idp.example.com' }],
    item: [
      request('client', {
        type: 'oauth2',
        oauth2: { ...client, grant_type: 'client_credentials' },
      }),
      request('user', {
        type: 'oauth2',
        oauth2: {
          ...client,
          grant_type: 'password_credentials',
          username: 'ada',
          password: '{{ada-password}}',
          client_authentication: 'body',
        },
      }),
      request('browser', {
        type: 'oauth2',
        oauth2: { ...client, grant_type: 'authorization_code' },
      }),
      request('aws', {
        type: 'awsv4',
        awsv4: { accessKey: 'AKIDEXAMPLE', secretKey: 'hunter2', service: 'execute-api' },
      }),
    ],
  };
  const tokenUrl = '{{idp_url}}/token';
  const clientSecret = '{{secret:client_secret}}';
  const oauth = { type: 'oauth2', tokenUrl, clientId: 'shop', clientSecret, scope: 'read' };
  const user = { grant: 'password', user: 'ada', password: '{{secret:ada_password}}' };
  expect(scenarioOf(file)).toMatchObject({
    steps: [
      { auth: { ...oauth, sendAs: 'header' } },
      { auth: { ...oauth, ...user, sendAs: 'body' } },
      {},
      {
        auth: {
          type: 'sigv4',
          accessKeyId: 'AKIDEXAMPLE',
          secretAccessKey: '{{secret:aws_secret_key}}',
          region: 'us-east-1',
          service: 'execute-api',
        },
      },
    ],
  });
  expect(foundIn(file).requests[2]?.auth).toBeUndefined();
  expect(JSON.stringify(foundIn(file))).not.toContain('hunter2');
  expect(foundIn(file).notes).toContain(
    'Authorization of the type oauth2 is not imported: add its header.',
  );
});

const OPENAPI = `
openapi: 3.1.0
servers: [{ url: https://api.example.com/v1/ }]
paths:
  /orders:
    get:
      summary: List orders
      parameters:
        - { name: limit, in: query, required: true, schema: { default: 10 } }
        - { name: after, in: query }
    post:
      requestBody: { $ref: '#/components/requestBodies/Order' }
  /orders/{id}:
    parameters: [{ name: id, in: path, required: true, example: 7 }]
    get: { operationId: readOrder }
  /loop: { $ref: '#/paths/~1loop' }
components:
  requestBodies:
    Order:
      content: { application/json: { example: { item: book } } }
`;

test('an OpenAPI document yields a request for each operation, with its example values', () => {
  expect(scenarioOf(OPENAPI)).toMatchObject({
    variables: { id: '7' },
    steps: [
      { name: 'List orders', method: 'GET', url: 'https://api.example.com/v1/orders?limit=10' },
      { name: 'POST /orders', method: 'POST', body: { item: 'book' } },
      { name: 'readOrder', url: 'https://api.example.com/v1/orders/{{id}}' },
    ],
  });
  expect(foundIn(OPENAPI).requests.map(({ isWanted }) => isWanted)).toEqual([true, false, false]);
});

test.each([
  ['{', 'This is neither JSON nor YAML.'],
  ['a: 1', 'Not a HAR, Postman or OpenAPI file.'],
  ['{"log":{"entries":[]}}', 'This HAR file has no requests.'],
  [
    '{"item":[{"request":{"method":"BREW","url":"http://a"}}]}',
    'This Postman file has no requests.',
  ],
  ['{"paths":{"/a":{"x-b":{}},"/b":null}}', 'This OpenAPI file has no requests.'],
])('the import of requests refuses %j with an explanation', (text, problem) => {
  expect(readRequests(text)).toEqual({ ok: false, problem });
});

test('imported steps replace an unedited first step, and otherwise are added after the existing steps', () => {
  const [step] = foundIn(HAR).requests.map((one) => toDraftStep(toStepFields(one)));
  if (step === undefined) throw new Error('no step');
  expect(withImported(emptyDraft(), [step], {}).steps).toHaveLength(1);
  const begun = toDraft({ name: '', steps: [{ name: 'one', url: 'https://a.example' }] });
  const both = withImported(begun, [step, step], {});
  expect(both.steps.map(({ name }) => name)).toEqual(['one', 'POST /login', 'POST /login (2)']);
});
