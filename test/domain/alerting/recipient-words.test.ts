/**
 * Tests the recipient of an alert in words: the name of the channel instead of its URL, or the name with an email
 * address.
 */
import { recipientWords } from '../../../src/domain/alerting/recipient-words';

test.each([
  ['https://hooks.example.com/***', 'On call', 'On call'],
  ['m***@example.com', 'Team', 'Team (m***@example.com)'],
  ['m***@example.com', null, 'm***@example.com'],
  ['https://hooks.example.com/***', null, 'https://hooks.example.com/***'],
])('the recipient %s of the channel %s is shown as %s', (recipient, channel, words) => {
  expect(recipientWords(recipient, channel)).toBe(words);
});
