/** Tests percentages and response times as text. */
import { formatMilliseconds, formatPercent } from '../../../src/domain/text/figures';

test.each([
  [0, '0%'],
  [0.04, '0.0%'],
  [63.727, '63.7%'],
  [98.999, '98.9%'],
  [99, '99.00%'],
  [99.428, '99.42%'],
  [99.8999, '99.89%'],
  [99.9, '99.900%'],
  [99.999_9, '99.999%'],
  [100, '100%'],
])('%d percent is written as %s', (value, text) => {
  expect(formatPercent(value)).toBe(text);
});

test.each([
  [0.4, '0 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [3_718, '3.7 s'],
  [61_240, '61.2 s'],
])('%d formatMilliseconds are written as %s', (ms, text) => {
  expect(formatMilliseconds(ms)).toBe(text);
});
