/** Example scenarios for new users. They are bodies for `POST /v1/scenarios`. Set `baseUrl` to the URL of a shop first. */

/** Log in, create an order, read it, delete it. */
export const scenarioExample = {
  name: 'Order journey',
  interval: 300,
  variables: { baseUrl: 'https://shop.example.com', user: 'demo', item: 'coffee' },
  steps: [
    {
      name: 'log in',
      method: 'POST',
      url: '{{baseUrl}}/login',
      body: { user: '{{user}}' },
      extract: { token: '$.token' },
      assertions: [
        { type: 'status', operator: 'equals', value: 200 },
        { type: 'responseTime', operator: 'lessThan', value: 2000 },
      ],
    },
    {
      name: 'create order',
      method: 'POST',
      url: '{{baseUrl}}/orders',
      headers: { authorization: 'Bearer {{token}}' },
      body: { item: '{{item}}', quantity: 1 },
      extract: { orderId: '$.id' },
      assertions: [{ type: 'status', operator: 'equals', value: 201 }],
    },
    {
      name: 'read order',
      url: '{{baseUrl}}/orders/{{orderId}}',
      headers: { authorization: 'Bearer {{token}}' },
      assertions: [
        { type: 'status', operator: 'equals', value: 200 },
        { type: 'jsonPath', path: '$.item', operator: 'exists' },
        { type: 'jsonPath', path: '$.quantity', operator: 'equals', value: 1 },
      ],
    },
    {
      name: 'delete order',
      method: 'DELETE',
      url: '{{baseUrl}}/orders/{{orderId}}',
      headers: { authorization: 'Bearer {{token}}' },
      always: true,
      assertions: [{ type: 'status', operator: 'equals', value: 204 }],
    },
  ],
};

/**
 * Sign in with a form, read a page of the session, sign out. `examples/sign-in` has the same steps.
 *
 * @param password The text that is sent as the password, which should be a reference.
 */
export function createSignInExample(password: string) {
  return {
    name: 'Sign in with a form',
    interval: 600,
    variables: { baseUrl: 'https://shop.example.com', user: 'demo' },
    steps: [
      {
        name: 'open the form',
        url: '{{baseUrl}}/account/login',
        extract: { csrf: { from: 'body', pattern: 'name="csrf" value="([^"]+)"' } },
      },
      {
        name: 'sign in',
        method: 'POST',
        url: '{{baseUrl}}/account/login',
        form: { user: '{{user}}', password, csrf: '{{csrf}}' },
        degradedAboveMs: 2000,
        assertions: [
          { type: 'redirect', name: 'finalUrl', operator: 'endsWith', value: '/account' },
          { type: 'body', operator: 'contains', value: '{{user}}' },
        ],
      },
      {
        name: 'see the orders',
        url: '{{baseUrl}}/account/orders',
        assertions: [{ type: 'status', operator: 'equals', value: 200 }],
      },
      { name: 'sign out', method: 'POST', url: '{{baseUrl}}/account/logout', always: true },
    ],
  };
}
