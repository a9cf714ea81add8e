/** Names of hosts that are private by their text alone. */
import { isLoopbackName, isPrivateName } from '../../../src/domain/definitions/private-names';

test.each(['localhost', 'a.localhost', 'localhost.localdomain'])('%s is this machine', (host) => {
  expect(isLoopbackName(host)).toBe(true);
});

test.each(['db.internal', 'internal', 'printer.local', 'nas.home.arpa'])(
  '%s is private',
  (host) => {
    expect(isPrivateName(host)).toBe(true);
    expect(isLoopbackName(host)).toBe(false);
  },
);

test.each(['example.com', 'localhost.example.com', 'internal.example.com', 'notlocal'])(
  '%s is neither',
  (host) => {
    expect([isLoopbackName(host), isPrivateName(host)]).toEqual([false, false]);
  },
);
