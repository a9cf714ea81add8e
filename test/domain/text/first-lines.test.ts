/** Tests the first lines of a note, as alerts show them. */
import { takeFirstLines } from '../../../src/domain/text/first-lines';

test.each([
  ['', ''],
  ['Restart it.', 'Restart it.'],
  ['\n \r\nRestart it.\n\n  Then call.\n', 'Restart it.\n  Then call.'],
  ['1\n2\n3', '1\n2\n3'],
  ['1\r\n2\r\n3\r\n4', '1\n2\n3 …'],
])('the text %j is shown in an alert as %j', (note, shown) => {
  expect(takeFirstLines(note)).toBe(shown);
});

test('three long lines of a note are truncated to 300 characters', () => {
  const shown = takeFirstLines(['a', 'b', 'c'].map((letter) => letter.repeat(200)).join('\n'));
  expect(shown).toHaveLength(300);
  expect(shown.endsWith('b…')).toBe(true);
});
