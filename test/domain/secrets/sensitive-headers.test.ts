/** Tests which headers are hidden from people who may only read. */
import fc from 'fast-check';
import { isSensitiveHeader } from '../../../src/domain/secrets/sensitive-headers';
import { propertyOptions } from '../../support/property-runs';

const NAMES = [
  'Authorization',
  'Proxy-Authorization',
  'Cookie',
  'Set-Cookie',
  'X-Auth-Token',
  'Client_Secret',
  'X-Password',
  'Api-Key',
  'X-ApiKey-2',
  'x-api_key',
  'Ocp-Apim-Subscription-Key',
];

const inAnyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((isUpper) =>
      text.replaceAll(/./g, (it, at: number) =>
        isUpper[at] === true ? it.toUpperCase() : it.toLowerCase(),
      ),
    );

const reference = fc.constantFrom(
  '{{token}}',
  '{{ secret:a.b-c }}',
  '{{secret:TOKEN}}',
  '{{$uuid}}',
);
const visible = fc.stringMatching(/^[!-z]{1,40}$/);

test('a literal value of a sensitive header is sensitive, in any letter case of the header name', () => {
  fc.assert(
    fc.property(fc.constantFrom(...NAMES).chain(inAnyCase), visible, (name, value) => {
      expect(isSensitiveHeader(name, value)).toBe(true);
    }),
    propertyOptions(100),
  );
});

test('a header value that consists only of references to secrets is not sensitive, even after a scheme', () => {
  const scheme = fc.constantFrom('', 'Bearer ', 'basic ', 'Token ');
  const references = fc.array(reference, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), scheme, references, (name, before, values) => {
      expect(isSensitiveHeader(name, before + values.join(''))).toBe(false);
    }),
    propertyOptions(100),
  );
});

test('any literal text next to a reference to a secret makes a header value sensitive', () => {
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), reference, visible, (name, value, beside) => {
      expect(isSensitiveHeader(name, value + beside)).toBe(true);
      expect(isSensitiveHeader(name, `${beside}${value}`)).toBe(true);
    }),
    propertyOptions(100),
  );
});

test.each(['Accept', 'Host', 'X-Request-Id', 'Keyboard', 'X-Keyed-By', 'Monkey', 'If-Match'])(
  'the value of the header %s is not sensitive',
  (name) => {
    expect(isSensitiveHeader(name, 'plain')).toBe(false);
  },
);

test.each(['{{not a name}}', '{{secret:}}', 'basic', 'Bearer{{token}}'])(
  'the header value %s is sensitive, since it contains more than a reference',
  (value) => {
    expect(isSensitiveHeader('Authorization', value)).toBe(true);
  },
);
