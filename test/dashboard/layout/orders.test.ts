/** Tests the commands in the palette that act on a check by its name. */
import { readOrder } from '../../../src/dashboard/layout/orders';

it.each([
  ['pause payment', { verbs: ['pause'], name: 'payment' }],
  ['Mute  Payment API', { verbs: ['pause', 'maintenance'], name: 'Payment API' }],
  ['ack checkout', { verbs: ['acknowledge'], name: 'checkout' }],
  ['ackn search', { verbs: ['acknowledge'], name: 'search' }],
  ['acknowledge', { verbs: ['acknowledge'], name: '' }],
  ['Ackn', { verbs: ['acknowledge'], name: '' }],
  ['re payment', null],
  ['pause', null],
  ['pause ', null],
  ['checkout', null],
  ['payment pause', null],
  ['', null],
])('the typed command %j is parsed as %j', (text, order) => {
  expect(readOrder(text)).toEqual(order);
});
