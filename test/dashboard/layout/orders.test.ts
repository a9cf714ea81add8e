/** Tests the commands in the palette that act on a check by its name. */
import { formatHint, readOrder } from '../../../src/dashboard/layout/orders';

it.each([
  ['pause payment', { verbs: ['pause'], name: 'payment' }],
  ['Mute  Payment API', { verbs: ['pause', 'maintenance'], name: 'Payment API' }],
  ['ack checkout', { verbs: ['acknowledge'], name: 'checkout' }],
  ['ackn search', { verbs: ['acknowledge'], name: 'search' }],
  ['acknowledge', { verbs: ['acknowledge'], name: '' }],
  ['Ackn', { verbs: ['acknowledge'], name: '' }],
  ['re payment', null],
  ['pause ', { verbs: ['pause'], name: '' }],
  ['checkout', null],
  ['payment pause', null],
  ['', null],
])('the typed command %j is parsed as %j', (text, order) => {
  expect(readOrder(text)).toEqual(order);
});

it.each([
  ['mute', 'Pause or start maintenance: type the name of a check'],
  ['run', 'Check now: type the name of a check'],
  ['ack', null],
])('the verb %j alone is explained as %j', (text, hint) => {
  expect(formatHint(readOrder(text)?.verbs ?? [])).toBe(hint);
});
