/** Rules that read text of others end on a quarter of a million characters, whatever these look like. */
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

/** Every shape repeated, and mixtures of them. */
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
  ['references', findReferences],
  ['filling in', (text) => renderText(text, values)],
  ['filling in an address', (text) => renderUrl(text, values)],
  ['paths', parseJsonPath],
  ['filters', (text) => parseJsonPath(`$[?@.a == '${text}']`)],
  ['recurrence rules', (text) => findRuleProblem(`FREQ=${text}`)],
  ['redaction of values', (text) => redactJson({ [text]: [text, 1] }, redact)],
];

it.each(rules)('%s: any large text is processed to its end', (_, read) => {
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(LARGE / piece.length));
    expectEnds(JSON.stringify(piece), () => read(text));
  }
});
