/** Tests what headers, OpenAPI and texts for people contain about a deprecation. */
import { z } from 'zod';
import {
  buildDeprecatedMeta,
  buildDeprecationHeaders,
  type Deprecation,
  formatDeprecation,
  readDay,
} from '../../../src/domain/compatibility/deprecation';

const deprecation: Deprecation = {
  announcedOn: '2027-01-31',
  sunsetOn: '2028-02-29',
  instead: 'use `PATCH`',
  page: 'docs/api.md#routes',
};

test('deprecation headers have the formats of RFC 9745 and RFC 8594, and Sunset is the end of the last day', () => {
  expect(buildDeprecationHeaders(deprecation, 'https://keepwatch.example')).toEqual({
    Deprecation: '@1801353600',
    Sunset: 'Tue, 29 Feb 2028 23:59:59 GMT',
    Link: '<https://keepwatch.example/docs/api.md#routes>; rel="deprecation"; type="text/markdown"',
  });
});

test('a deprecated field is described with its dates and its replacement', () => {
  const shape = z.string().meta(buildDeprecatedMeta(deprecation, 'The old name.'));
  expect(z.toJSONSchema(shape)).toMatchObject({
    deprecated: true,
    'x-announced': '2027-01-31',
    'x-sunset': '2028-02-29',
    description: `The old name. ${formatDeprecation(deprecation)}`,
  });
});

test.each(['2027-02-30', '2027-1-1', 'soon', ''])(
  '%j is refused as the date of a deprecation',
  (text) => {
    expect(() => readDay(text)).toThrow('is not a date like 2027-01-31');
  },
);
