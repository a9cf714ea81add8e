import { computePercentile, readPing } from '../../../src/kinds/ping/output';

test.each([
  [
    'iputils',
    `64 bytes from 192.0.2.1: icmp_seq=1 ttl=53 time=12.3 ms
64 bytes from 192.0.2.1: icmp_seq=1 ttl=53 time=13.0 ms (DUP!)
64 bytes from 192.0.2.1: icmp_seq=3 ttl=53 time=7 ms

--- 192.0.2.1 ping statistics ---
3 packets transmitted, 2 received, +1 duplicates, 33.3333% packet loss, time 402ms`,
    { sent: 3, received: 2, timesMs: [12.3, 7] },
  ],
  [
    'iputils with errors',
    `From 192.0.2.254 icmp_seq=1 Destination Host Unreachable

--- 192.0.2.1 ping statistics ---
1 packets transmitted, 0 received, +1 errors, 100% packet loss, time 0ms`,
    { sent: 1, received: 0, timesMs: [] },
  ],
  [
    'BusyBox',
    `64 bytes from 192.0.2.1: seq=0 ttl=64 time=0.061 ms
64 bytes from 192.0.2.1: seq=1 ttl=64 time=0.070 ms

--- 192.0.2.1 ping statistics ---
2 packets transmitted, 2 packets received, 0% packet loss
round-trip min/avg/max = 0.061/0.065/0.070 ms`,
    { sent: 2, received: 2, timesMs: [0.061, 0.07] },
  ],
  [
    'macOS',
    `64 bytes from 192.0.2.1: icmp_seq=0 ttl=57 time=4.318 ms

--- 192.0.2.1 ping statistics ---
1 packets transmitted, 1 packets received, 0.0% packet loss`,
    { sent: 1, received: 1, timesMs: [4.318] },
  ],
  [
    'IPv6',
    `64 bytes from 2001:db8::1: icmp_seq=1 ttl=57 time<1 ms
1 packets transmitted, 1 received, 0% packet loss, time 0ms`,
    { sent: 1, received: 1, timesMs: [1] },
  ],
  [
    'more replies than requests',
    '2 packets transmitted, 5 received, +3 duplicates',
    { sent: 2, received: 2, timesMs: [] },
  ],
  ['nothing', '', null],
  ['a usage message', 'ping: invalid option -- W\nusage: ping [-c count] host', null],
])('the output of ping is parsed: %s', (_name, output, read) => {
  expect(readPing(output)).toEqual(read);
});

test.each([
  [[], 95, null],
  [[3], 95, 3],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 95, 10],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 50, 5],
])('for the times %j, percentile %i is %j', (values, percent, found) => {
  expect(computePercentile(values, percent)).toBe(found);
});
