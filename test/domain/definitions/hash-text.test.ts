/**
 * Tests that the hash of a text is the same in every release. The hash spreads work over time, for example late checks.
 */
import { hashText } from '../../../src/domain/definitions/hash-text';

test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('the FNV-1a hash of %j has its published value', (text, hash) => {
  expect(hashText(text)).toBe(hash);
});

test('hashes of texts that differ only at the end are spread evenly', () => {
  const counts = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let index = 0; index < 10_000; index += 1) {
    const slot = hashText(`mon_${index}`) % counts.length;
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(800);
  expect(Math.max(...counts)).toBeLessThan(1_200);
});
