/** Tests failures in words: short names, and sentences that are the same everywhere. */
import { FAILURE_CODES, PHASES } from '../../../src/contracts/outcome';
import {
  FAILURE_WORDS,
  LOSS_SENTENCES,
  lookupSentence,
  refusedSentence,
  timedOutSentence,
} from '../../../src/domain/states/failure-words';

test.each(FAILURE_CODES)('the failure %s has a short name', (code) => {
  expect(FAILURE_WORDS[code]).toMatch(/^[A-Z][\w ]{2,31}$/);
});

test.each(PHASES)('a timeout in the phase %s states its length', (phase) => {
  expect(timedOutSentence(phase, 2_500)).toMatch(/^Timed out after 2\.5 s while [a-zTLS ]+\.$/);
});

test('sentences about failures use the standard technical terms', () => {
  expect(timedOutSentence('ttfb', 3_000)).toBe(
    'Timed out after 3 s while waiting for the response.',
  );
  expect(lookupSentence('shop.test', 'does not exist')).toBe(
    'DNS lookup failed: shop.test does not exist.',
  );
  expect(refusedSentence(8080)).toBe('Connection refused on port 8080.');
  expect(LOSS_SENTENCES.region_unavailable).toBe('No probe picked up this check in time.');
});
