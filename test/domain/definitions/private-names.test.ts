/** Tests which host names are recognised as private, and which credentials may be sent to a host without TLS. */
import {
  isLoopbackName,
  isPrivateName,
  isSentInClear,
} from '../../../src/domain/definitions/private-names';

test.each(['localhost', 'a.localhost', 'localhost.localdomain'])(
  'the host %s is this machine',
  (host) => {
    expect(isLoopbackName(host)).toBe(true);
  },
);

test.each(['db.internal', 'internal', 'printer.local', 'nas.home.arpa'])(
  'the host %s is private',
  (host) => {
    expect(isPrivateName(host)).toBe(true);
    expect(isLoopbackName(host)).toBe(false);
  },
);

test.each(['example.com', 'localhost.example.com', 'internal.example.com', 'notlocal'])(
  'the host %s is not loopback and not private',
  (host) => {
    expect([isLoopbackName(host), isPrivateName(host)]).toEqual([false, false]);
  },
);

test.each([
  'example.com',
  '8.8.8.8',
  '11.0.0.1',
  '100.63.0.1',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.0.1',
  '[2606:4700::1111]',
  '[::ffff:8.8.8.8]',
  'localhost.example.com',
])('credentials are not sent to http://%s', (host) => {
  expect(isSentInClear(new URL(`http://${host}/`))).toBe(true);
  expect(isSentInClear(new URL(`https://${host}/`))).toBe(false);
});

test.each([
  'localhost',
  'localhost.',
  'keycloak:8080',
  'idp.internal',
  '127.0.0.1',
  '0x7f.1',
  '10.255.0.1',
  '100.64.0.1',
  '100.127.0.1',
  '172.16.0.1',
  '172.31.0.1',
  '192.168.1.1',
  '[::1]',
  '[fd00::1]',
  '[fe80::1]',
])('credentials may be sent to http://%s', (host) => {
  expect(isSentInClear(new URL(`http://${host}/`))).toBe(false);
});
