/** Tests which lines of a job's output an alert quotes. */
import { takeLastLines } from '../../../src/domain/text/last-lines';

const LINES = Array.from(
  { length: 43 },
  (_, at) => `2026-12-01 dumping table orders_${at} ... done`,
);
const ERROR = 'OSError: [Errno 28] No space left on device';

test.each([
  ['', ''],
  ['oh\n', 'oh'],
  ['a\r\n\r\n  b  \r\n', 'a\n  b'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\t[ERROR]', '\t[ERROR]'],
])('an alert quotes every line with text of the short output %j', (output, kept) => {
  expect(takeLastLines(output)).toBe(kept);
});

test('an alert quotes whole lines from the end of a long output, after an ellipsis', () => {
  const kept = takeLastLines([...LINES, ERROR].join('\n')).split('\n');
  expect(kept[0]).toBe('…');
  expect(kept.at(-1)).toBe(ERROR);
  expect(LINES.concat(ERROR).slice(-kept.length + 1)).toEqual(kept.slice(1));
  expect(takeLastLines('a\n'.repeat(11))).toBe(`…${'\na'.repeat(10)}`);
});

test('an alert quotes the end of a line that is too long', () => {
  expect(takeLastLines(`${'x'.repeat(900)}end`)).toMatch(/^…x+end$/);
  expect(takeLastLines(`${'x'.repeat(900)}\n${ERROR}`)).toBe(`…\n${ERROR}`);
  expect(takeLastLines('x'.repeat(900)).length).toBeLessThanOrEqual(500);
});
