/**
 * Tests the headers of a request over HTTP/2.
 *
 * Covers:
 * - checks/http2/headers
 */
import { buildRequestHeaders } from '../../../src/checks/http2/headers';

test('the value of an HTTP/2 header keeps its last byte, even if that byte is a blank in Latin-1', () => {
  const value = Buffer.from('voilà').toString('latin1');
  const url = new URL('https://example.com/');
  const headers = [{ name: 'X-Word', value: ` ${value}\t` }];
  const built = buildRequestHeaders({ method: 'GET', url, headers, body: null });
  expect(built['x-word']).toEqual([value]);
});
