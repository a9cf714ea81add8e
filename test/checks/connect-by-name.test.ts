/** Tests connections to servers of the operator. Any IP address that works is used, in any order of DNS responses. */
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createConnectByName } from '../../src/checks/connect-by-name';
import type { Resolution } from '../../src/checks/resolve-host';

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

/** A loopback address on which no server listens. */
const CLOSED = '127.0.0.2';

function failed(code: string): Promise<never> {
  const rejected = Promise.reject(Object.assign(new Error(code), { code }));
  rejected.catch(() => undefined);
  return rejected;
}

function connectTo(resolution: Partial<Resolution>, host = 'mail.example') {
  const whole = { addresses: Promise.resolve([]), cancel: () => undefined, ...resolution };
  return createConnectByName(() => whole)({ host, port, timeoutMs: 60_000 });
}

it.each<[string, Partial<Resolution>]>([
  ['the only IP address', { addresses: Promise.resolve(['127.0.0.1']) }],
  ['the second IP address', { addresses: Promise.resolve([CLOSED, '127.0.0.1']) }],
  [
    'an IP address of the family that responds later',
    { addresses: Promise.resolve([CLOSED]), later: Promise.resolve(['127.0.0.1']) },
  ],
])('a check opens its connection to %s', async (_which, resolution) => {
  const socket = await connectTo(resolution);
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
});

it('a connection to an IP address needs no lookup', async () => {
  const socket = await connectTo({ addresses: failed('ENOTFOUND') }, '127.0.0.1');
  socket.destroy();
});

it.each<[string, Partial<Resolution>, object]>([
  [
    'an unknown name',
    { addresses: failed('ENOTFOUND') },
    { code: 'EDNS', originalCode: 'ENOTFOUND' },
  ],
  [
    'a server that refuses',
    { addresses: Promise.resolve([CLOSED]), later: failed('ENODATA') },
    { code: 'ECONNREFUSED' },
  ],
])('a failed connection reports the cause for %s', async (_what, resolution, expected) => {
  await expect(connectTo(resolution)).rejects.toMatchObject(expected);
});

it('a connection to a host name times out if a name server does not respond', async () => {
  const cancel = jest.fn();
  const never = new Promise<never>(() => undefined);
  const connect = createConnectByName(() => ({ addresses: never, cancel }));
  const connecting = connect({ host: 'mail.example', port, timeoutMs: 1 });
  await expect(connecting).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  expect(cancel).toHaveBeenCalled();
});
