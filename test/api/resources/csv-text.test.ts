/** Tests CSV output. Every reader splits it in the same way, and no spreadsheet runs a formula in it. */
import fc from 'fast-check';
import { type Columns, formatCsvHead, formatCsvLine } from '../../../src/api/v1/resources/csv-text';
import { anyCharacter } from '../../support/any-character';
import { propertyOptions } from '../../support/property-runs';

const columns: Columns<string> = { text: (text) => text };

/** Reads a line with one cell, strictly as RFC 4180 defines it. */
function readCell(line: string): string {
  const text = line.slice(0, -2);
  if (!text.startsWith('"')) return text;
  return text.slice(1, -1).replaceAll('""', '"');
}

test.each([
  '=1+1',
  '+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '  =HYPERLINK("http://evil.example")',
  '\u200b=1',
  '\ufeff@x',
  '＝1',
])('a spreadsheet shows %j as text, not as a formula', (formula) => {
  expect(readCell(formatCsvLine(columns, formula))).toBe(`'${formula}`);
});

test.each(['plain', 'a=b', '5 - 3', 'ü', "it's"])('%j is written to CSV unchanged', (text) => {
  expect(formatCsvLine(columns, text)).toBe(`${text}\r\n`);
});

test('any text can be read back from CSV and adds no line or column to the file', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (text) => {
      const line = formatCsvLine(columns, text);
      expect(line.endsWith('\r\n')).toBe(true);
      expect([text, `'${text}`]).toContain(readCell(line));
      expect(/^(?:[^",\r\n]*|"(?:[^"]|"")*")\r\n$/.test(line)).toBe(true);
    }),
    propertyOptions(100),
  );
});

test('in CSV, numbers keep their sign, null is an empty cell, and the header has the field names', () => {
  const mixed: Columns<null> = { a: () => -5, b: () => null, c: () => true, d: () => 1.5 };
  expect(formatCsvHead(mixed)).toBe('a,b,c,d\r\n');
  expect(formatCsvLine(mixed, null)).toBe('-5,,true,1.5\r\n');
});
