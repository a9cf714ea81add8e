/** An example scenario for new users: log in, create an order, read it, delete it. */

/** A body for `POST /v1/scenarios`. Set `baseUrl` to the URL of a shop first. */
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
