/** Scenarios to start from. All of them take the URL of the service from the variable `baseUrl`. */
import { createSignInExample, scenarioExample } from '../../../../schemas/scenario-example';
import { newHeaderRow } from '../../../shared/form/rows/rows';
import { type Draft, toDraft } from '../draft/draft';

interface Example {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  /** A body for `POST /v1/scenarios`. */
  readonly body: unknown;
}

const BASE_URL = 'baseUrl';
const PLACEHOLDER_URL = 'https://shop.example.com';

/** The password is a secret variable, because the account may have no secrets yet. */
function createSignIn() {
  const example = createSignInExample('{{password}}');
  const password = { value: '', secret: true };
  return { ...example, variables: { ...example.variables, password } };
}

const graphql = {
  name: 'GraphQL query',
  interval: 300,
  variables: { baseUrl: PLACEHOLDER_URL },
  steps: [
    {
      name: 'list products',
      method: 'POST',
      url: '{{baseUrl}}/graphql',
      graphql: { query: 'query Products { products { id name } }' },
      extract: { productId: '$.data.products[0].id' },
    },
    {
      name: 'read a product',
      method: 'POST',
      url: '{{baseUrl}}/graphql',
      graphql: {
        query: 'query Product($id: ID!) { product(id: $id) { id name } }',
        variables: { id: '{{productId}}' },
      },
      assertions: [
        { type: 'jsonPath', path: '$.data.product.id', operator: 'equals', value: '{{productId}}' },
      ],
    },
  ],
};

const webhook = {
  name: 'Webhook after an hour',
  interval: 21_600,
  variables: { baseUrl: PLACEHOLDER_URL },
  steps: [
    {
      name: 'create order',
      method: 'POST',
      url: '{{baseUrl}}/orders',
      body: { item: 'coffee' },
      extract: { orderId: '$.id' },
      assertions: [{ type: 'status', operator: 'equals', value: 201 }],
    },
    {
      name: 'webhook has arrived',
      url: '{{baseUrl}}/orders/{{orderId}}',
      waitSeconds: 3_600,
      until: { everySeconds: 30, forSeconds: 600 },
      assertions: [{ type: 'jsonPath', path: '$.webhook', operator: 'equals', value: 'delivered' }],
    },
    { name: 'delete order', method: 'DELETE', url: '{{baseUrl}}/orders/{{orderId}}', always: true },
  ],
};

/** The examples. The first one is chosen at first. */
export const EXAMPLES: readonly [Example, ...Example[]] = [
  {
    id: 'orders',
    label: 'Order journey',
    text: 'Log in, create an order, read it back and delete it.',
    body: scenarioExample,
  },
  {
    id: 'sign-in',
    label: 'Sign in with a form',
    text: 'Pass on the token of the form and the cookies of the session.',
    body: createSignIn(),
  },
  {
    id: 'graphql',
    label: 'GraphQL query',
    text: 'Send two queries. The second one uses a value of the first.',
    body: graphql,
  },
  {
    id: 'webhook',
    label: 'Webhook after an hour',
    text: 'Create an order, wait an hour, and see that its webhook has arrived.',
    body: webhook,
  },
];

/** Returns the draft of the example, or of the first one if the id is unknown. An empty URL changes nothing. */
export function createExampleDraft(id: string, baseUrl: string): Draft {
  const [first] = EXAMPLES;
  const draft = toDraft((EXAMPLES.find((example) => example.id === id) ?? first).body);
  const value = baseUrl.trim().replace(/\/+$/, '');
  if (value === '') return draft;
  const variables = draft.variables.map((row) =>
    row.name === BASE_URL ? { ...row, ...newHeaderRow(BASE_URL, value) } : row,
  );
  return { ...draft, variables };
}
