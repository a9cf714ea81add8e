/**
 * Takes known secret values out of text, also where they stand percent-encoded, in base64 (at any
 * offset, so also inside Basic credentials) or escaped in JSON. It must be applied before a text is
 * cut, since half a secret is not recognised.
 */
import type { JsonValue } from '../contracts/definition';

export const MASK = '***';
export type Redact = (text: string) => string;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Shorter pieces of base64 are found by chance in ordinary text. */
const ENCODED_LENGTH_MIN = 4;

function encodePercent(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

function utf8Of(value: string): number[] {
  return [...encodePercent(value).matchAll(/%([0-9A-F]{2})|./g)].map(([character, hex]) =>
    hex === undefined ? character.charCodeAt(0) : Number.parseInt(hex, 16),
  );
}

/** The base64 characters that depend on these bytes alone, whatever stands before and after. */
function innerBase64(bytes: readonly number[], offset: number): string {
  const bits = [...Array<number>(offset).fill(0), ...bytes]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  const first = Math.ceil((offset * 8) / 6);
  const last = Math.floor(bits.length / 6);
  let text = '';
  for (let index = first; index < last; index += 1) {
    text += ALPHABET[Number.parseInt(bits.slice(index * 6, index * 6 + 6), 2)] ?? '';
  }
  return text;
}

function base64Forms(value: string): string[] {
  const bytes = utf8Of(value);
  return [0, 1, 2]
    .map((offset) => innerBase64(bytes, offset))
    .flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
    .filter((text) => text.length >= ENCODED_LENGTH_MIN);
}

function formsOf(value: string): string[] {
  const percent = encodePercent(value);
  const strict = percent.replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const escaped = JSON.stringify(value).slice(1, -1);
  const lowerHex = (text: string) => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
  return [
    value,
    encodeURI(value.replace(/\p{Surrogate}/gu, '\uFFFD')),
    percent,
    strict,
    lowerHex(percent),
    lowerHex(strict),
    strict.replaceAll('%20', '+'),
    escaped,
    escaped.replaceAll('/', '\\/'),
    JSON.stringify(escaped).slice(1, -1),
    ...base64Forms(value),
  ];
}

/** A function that replaces every form of every value by `***`; empty values are ignored. */
export function createRedactor(values: readonly string[]): Redact {
  const forms = new Set(values.filter((value) => value !== '').flatMap(formsOf));
  if (forms.size === 0) return (text) => text;
  const pattern = [...forms]
    .sort((left, right) => right.length - left.length)
    .map((form) => form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
    .join('|');
  const expression = new RegExp(pattern, 'g');
  return (text) => text.replace(expression, MASK);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The same value with every string and member name redacted. */
export function redactJson(value: JsonValue, redact: Redact): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number') {
    const text = JSON.stringify(value);
    return redact(text) === text ? value : MASK;
  }
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map((entry) => redactJson(entry, redact));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [redact(name), redactJson(entry, redact)]),
  );
}
