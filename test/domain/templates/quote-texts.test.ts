/** Tests that rendering a template leaves quoted texts of other people unchanged. */
import * as fc from 'fast-check';
import type { JsonValue } from '../../../src/contracts/definition';
import { quoteFields, quoteTexts, quoteUrl } from '../../../src/domain/templates/quote-texts';
import { renderBody } from '../../../src/domain/templates/template';
import { propertyOptions } from '../../support/property-runs';

const NOTHING = {
  variables: new Map<string, JsonValue>(),
  generated: { uuid: '', now: '', runId: '', region: '' },
  secrets: new Map<string, string>(),
};

it('a template made of any JSON with quoted texts renders to that JSON', () => {
  const braces = fc.constantFrom('{{x}}', '{{', '}}', "{{'x'}}", 'x');
  const text = fc.array(braces).map((parts) => parts.join(''));
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', '{{x}}'), tie('value')),
    ),
  }));
  fc.assert(
    fc.property(value, (body) => {
      const quoted: JsonValue = JSON.parse(JSON.stringify(quoteTexts(body)));
      expect(renderBody(quoted, NOTHING)).toEqual({ ok: true, value: body });
    }),
    propertyOptions(200),
  );
});

it('quoting fields quotes their values, but not the field names', () => {
  expect(quoteFields({ '{{x}}': '{{x}}' })).toEqual({ '{{x}}': "{{'x'}}" });
});

it('braces in a URL are percent-encoded', () => {
  expect(quoteUrl('https://a.example/{{x}}/{y}')).toBe('https://a.example/%7B%7Bx%7D%7D/{y}');
});
