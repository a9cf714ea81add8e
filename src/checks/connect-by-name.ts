/**
 * Opens a TCP connection to a server that the operator configured, such as a mail server. Looks up the name and orders
 * the IP addresses as checks do.
 */
import { isIP, type Socket } from 'node:net';
import { connectSocket } from './connect-socket';
import type { Resolution, ResolveHost } from './resolve-host';
import { readErrorCode, StepFailure } from './step-failure';

interface ServerName {
  /** The host. IPv6 addresses are written without brackets. */
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

export type ConnectByName = (server: ServerName) => Promise<Socket>;

/** Creates the error of a failed look-up. Its code is `EDNS`, and `originalCode` is the resolver's code. */
function lookupError(error: unknown): Error {
  const failure = new StepFailure('dns_error', 'The name could not be resolved.', 'dns');
  return Object.assign(failure, { code: 'EDNS', originalCode: readErrorCode(error) });
}

function resolveName(host: string, resolveHost: ResolveHost): Resolution {
  if (isIP(host) === 0) return resolveHost(host);
  return { addresses: Promise.resolve([host]), cancel: () => undefined };
}

/**
 * Creates a function that connects. The function rejects with a Node error, or with `ETIMEDOUT` after `timeoutMs`.
 * After a rejection, no socket stays open.
 */
export function createConnectByName(resolveHost: ResolveHost): ConnectByName {
  return async ({ host, port, timeoutMs }) => {
    const { addresses, later = Promise.resolve([]), cancel } = resolveName(host, resolveHost);
    let giveUp = cancel;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(Object.assign(new Error('Timed out while connecting.'), { code: 'ETIMEDOUT' }));
        giveUp();
      }, timeoutMs);
    });
    const connect = async (): Promise<Socket> => {
      const fail = (error: unknown): never => {
        throw lookupError(error);
      };
      const first = await addresses.catch(fail);
      const connecting = connectSocket({ addresses: first, later: later.catch(fail) }, port);
      giveUp = () => {
        cancel();
        connecting.cancel();
      };
      return (await connecting.connected).socket;
    };
    return Promise.race([connect(), late]).finally(() => {
      clearTimeout(timer);
      cancel();
    });
  };
}
