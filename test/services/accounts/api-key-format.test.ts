/** Tests the format of API keys. */
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import {
  hashToken,
  isApiKey,
  newApiKey,
  readVisibleParts,
} from '../../../src/services/accounts/api-key-format';
import { propertyOptions } from '../../support/property-runs';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

it('an API key ends in the standard CRC-32 of its other characters', () => {
  for (let index = 0; index < 200; index += 1) {
    const key = newApiKey(randomBytes);
    expect(key).toMatch(/^kw_[0-9A-Za-z]{38}$/);
    const digits = Array.from({ length: 6 }, (_, place) => BASE62.indexOf(key.charAt(35 + place)));
    const checksum = digits.reduce((sum, digit) => sum * 62 + digit, 0);
    expect(checksum).toBe(crc32(key.slice(0, -6)));
    expect(isApiKey(key)).toBe(true);
  }
});

it('the checksum of an API key detects every single mistyped character', () => {
  const key = newApiKey(randomBytes);
  fc.assert(
    fc.property(
      fc.nat({ max: key.length - 1 }),
      fc.constantFrom(...BASE62.split('')),
      (at, character) => {
        fc.pre(key[at] !== character);
        expect(isApiKey(key.slice(0, at) + character + key.slice(at + 1))).toBe(false);
      },
    ),
    propertyOptions(100),
  );
});

it('a text without the format of an API key is not read as an API key', () => {
  fc.assert(
    fc.property(fc.string(), (text) => !isApiKey(text)),
    propertyOptions(100),
  );
});

it('every character of an API key is equally likely', () => {
  const drawn = [255, 250, 248, 247, 62, 61, 0];
  const key = newApiKey((count) =>
    Buffer.from(Array.from({ length: count }, (_, i) => drawn[i % 7] ?? 0)),
  );
  expect(key.slice(3, 7)).toBe('z0z0');
});

it('an API key is shown by its start and its end, and stored as a hash', () => {
  const key = newApiKey(randomBytes);
  expect(readVisibleParts(key)).toEqual({ prefix: key.slice(0, 7), last4: key.slice(-4) });
  expect(hashToken(key)).toMatch(/^[0-9a-f]{64}$/);
});
