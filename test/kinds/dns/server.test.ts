import { formatDnsServer, parseDnsServer } from '../../../src/kinds/dns/server';

test.each([
  ['1.1.1.1', '1.1.1.1', 53],
  ['1.1.1.1:53', '1.1.1.1', 53],
  ['127.0.0.1:5353', '127.0.0.1', 5353],
  ['0x7f.1', '127.0.0.1', 53],
  ['127.0.0.1:80', '127.0.0.1', 80],
  ['2001:DB8::1', '2001:db8::1', 53],
  ['[2001:db8::1]', '2001:db8::1', 53],
  ['[2001:db8::1]:5353', '2001:db8::1', 5353],
])('%s is accepted as a name server', (text, host, port) => {
  const server = parseDnsServer(text);
  expect(server).toEqual({ host, port });
  expect(parseDnsServer(formatDnsServer({ host, port }))).toEqual(server);
});

test.each([
  '',
  'ns1.example.com',
  '1.1.1.1:0',
  '1.1.1.1:99999',
  '1.1.1.1/x',
  'a@1.1.1.1',
  '::g',
  '{{x}}',
])('%j is refused as a name server', (text) => {
  expect(parseDnsServer(text)).toBeNull();
});
