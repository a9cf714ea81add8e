/**
 * Tests that a byte pattern is found at every position, including overlapping matches. A naive search gives the
 * expected positions.
 */
import * as fc from 'fast-check';
import { createFolding, createPattern, scan } from '../../../src/domain/secrets/byte-pattern';
import { propertyOptions } from '../../support/property-runs';

const EXACT = createFolding([]);

function bytesOf(text: string) {
  const bytes = Uint8Array.from(Buffer.from(text, 'latin1'));
  return { bytes, length: bytes.length };
}

function matchesOf(pattern: string, text: string, folding = EXACT): readonly number[] {
  const found: number[] = [];
  const compiled = createPattern(bytesOf(pattern).bytes, folding);
  scan(compiled, bytesOf(text), { ends: new Set(), onMatch: (at) => found.push(at) });
  return found;
}

test.each([
  ['aa', 'aaaa', [1, 2, 3]],
  ['abab', 'ababab', [3, 5]],
  ['abc', 'xabcx', [3]],
  ['abc', 'ab', []],
])('the pattern %s in %s is found with its end at %j', (pattern, text, ends) => {
  expect(matchesOf(pattern, text)).toEqual(ends);
});

test('any pattern is found exactly where a naive search finds it', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 40 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(pattern, letters, (wanted, text) => {
      const plain = Array.from(text, (_, at) => at).flatMap((at) =>
        text.slice(0, at + 1).endsWith(wanted) ? [at] : [],
      );
      expect(matchesOf(wanted, text)).toEqual(plain);
    }),
    propertyOptions(100),
  );
});

test('in a search that ignores case, the upper and lower case of a letter match each other', () => {
  const folding = createFolding([['A', 'a']]);
  expect(matchesOf('aA', 'xAax', folding)).toEqual([2]);
});

test('the search reports how much of the pattern matches at each requested end of the text', () => {
  const seen: (readonly [number, number])[] = [];
  const pattern = createPattern(bytesOf('secret').bytes, EXACT);
  const onMatch = (at: number, matched: number) => seen.push([at, matched]);
  scan(pattern, bytesOf('xxsecr'), { ends: new Set([5]), onMatch });
  expect(seen).toEqual([[5, 4]]);
});
