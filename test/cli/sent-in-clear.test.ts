/** Tests when the command line warns that its key is sent in clear text. */
import { isSentInClear } from '../../src/cli/sent-in-clear';

test.each([
  ['http://keepwatch.example/', true],
  ['http://10.0.0.1:3000/', true],
  ['http://localhost.evil.example/', true],
  ['https://keepwatch.example/', false],
  ['http://localhost:3000/', false],
  ['http://kw.localhost/', false],
  ['http://127.0.0.1:3000/', false],
  ['http://[::1]:3000/', false],
])('a key for %s would be sent unencrypted over the network: %s', (url, isClear) => {
  expect(isSentInClear(url)).toBe(isClear);
});
