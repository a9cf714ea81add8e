/** Tests that functions that process untrusted text finish on 250,000 characters of any shape. */
import { parseJsonPath } from '../../src/domain/assertions/json-path-syntax';
import { createRedactor } from '../../src/domain/secrets/create-redactor';
import { redactJson } from '../../src/domain/secrets/redact';
import { findReferences, renderText, renderUrl } from '../../src/domain/templates/template';
import { findRuleProblem } from '../../src/schemas/recurrence';
import { expectEnds, LARGE } from '../support/growth';
import { createRandom } from '../support/random';
import { testSeed } from '../support/test-seed';

const SEED = testSeed();
const random = createRandom(SEED);
const SHAPES = [
  '{{',
  '}}',
  '{',
  '{{a',
  '{{a}',
  '{{ ',
  '://',
  '%',
  '\\',
  '"',
  '[?',
  "['",
  '..',
  '@.a',
  ';',
  '=',
  'BYDAY=',
];

function anyOf(shapes: readonly string[]): string {
  return shapes[Math.floor(random() * shapes.length)] ?? '';
}

/** The shapes that are repeated: each single shape, and mixtures of shapes. */
const pieces = [
  ...SHAPES,
  ...Array.from({ length: 3 }, () => Array.from({ length: 40 }, () => anyOf(SHAPES)).join('')),
];

const values = {
  variables: new Map([['a', 'x{{a}}x']]),
  generated: { uuid: 'u', now: 'n', runId: 'r', region: 'e' },
  secrets: new Map<string, string>(),
};
const redact = createRedactor(['{{a}}"secret', '%25%25%25%41']);

const rules: readonly (readonly [string, (text: string) => unknown])[] = [
  ['finding references', findReferences],
  ['filling in a text', (text) => renderText(text, values)],
  ['filling in a URL', (text) => renderUrl(text, values)],
  ['parsing a path', parseJsonPath],
  ['parsing a filter', (text) => parseJsonPath(`$[?@.a == '${text}']`)],
  ['reading a recurrence rule', (text) => findRuleProblem(`FREQ=${text}`)],
  ['redacting values', (text) => redactJson({ [text]: [text, 1] }, redact)],
];

it.each(rules)('%s finishes on any large text', (_, read) => {
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(LARGE / piece.length));
    expectEnds(JSON.stringify(piece), () => read(text));
  }
});
