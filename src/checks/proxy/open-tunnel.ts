/**
 * Connects to a target through a proxy from the operator's list. The proxy gets an IP address that the target guard has
 * allowed. If it got the name instead, it might resolve the name to another address.
 */
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { ProxyServer } from '../../contracts/definitions/proxy';
import { createConnectByName } from '../connect-by-name';
import type { Deadline } from '../deadline';
import type { ResolveHost } from '../resolve-host';
import { readErrorCode, StepFailure } from '../step-failure';
import { reportDistrust, secureSocket } from '../tls/secure-socket';
import { connectByHttp, type TunnelTarget } from './http-connect';
import { createProxyFailure } from './reply';
import { connectBySocks } from './socks5';

interface TunnelNeeds {
  readonly resolveHost: ResolveHost;
  readonly trust: SecureContext;
  readonly deadline: Deadline;
}

/**
 * Resolves when the tunnel is open. Rejects with StepFailure. If the proxy does not respond, the failure names the
 * proxy.
 */
export async function openTunnel(
  proxy: ProxyServer,
  target: TunnelTarget,
  needs: TunnelNeeds,
): Promise<Socket> {
  const { name, protocol } = proxy;
  const plain = await nameTimeout(
    createProxyFailure(name, 'does not respond'),
    reachProxy(proxy, needs),
  );
  const socket = protocol === 'https' ? await secure(plain, proxy, needs) : plain;
  // Prevents an unhandled error event while no other listener is attached.
  socket.on('error', () => undefined);
  const opening = protocol === 'socks5' ? connectBySocks : connectByHttp;
  const opened = needs.deadline.within(opening(socket, proxy, target), () => plain.destroy());
  const message = `The proxy “${name}” did not open a connection to the target in time.`;
  try {
    await nameTimeout(new StepFailure('connection_timeout', message, 'connect'), opened);
  } catch (error) {
    plain.destroy();
    throw error;
  }
  return socket;
}

/** If the work times out, fails with `named`, which names the connection that does not respond. */
async function nameTimeout<Result>(named: StepFailure, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const isHang =
      error instanceof StepFailure &&
      (error.failure.code === 'connection_timeout' || error.failure.code === 'timeout');
    throw isHang ? named : error;
  }
}

async function reachProxy(
  { name, host, port }: ProxyServer,
  { resolveHost, deadline }: TunnelNeeds,
): Promise<Socket> {
  const connect = createConnectByName(resolveHost);
  const timeoutMs = Math.ceil(deadline.remainingMs()) + 1;
  const connecting = connect({ host, port, timeoutMs }).catch((error: unknown) => {
    throw createProxyFailure(name, `cannot be reached (${readErrorCode(error)})`);
  });
  return await deadline.within(connecting, () => {
    void connecting.then(
      (socket) => socket.destroy(),
      () => undefined,
    );
  });
}

/**
 * Performs the TLS handshake with the proxy itself. The proxy's certificate must be signed by one of the usual
 * authorities.
 */
async function secure(
  plain: Socket,
  { name, host }: ProxyServer,
  { trust, deadline }: TunnelNeeds,
): Promise<Socket> {
  const securing = secureSocket(plain, { host }, trust).catch(() => {
    throw createProxyFailure(name, 'does not speak TLS');
  });
  const hang = createProxyFailure(name, 'does not finish the TLS handshake');
  const secured = await nameTimeout(
    hang,
    deadline.within(securing, () => plain.destroy()),
  );
  if (secured.authorized) return secured;
  const distrust = reportDistrust(secured);
  secured.destroy();
  throw createProxyFailure(name, `cannot be trusted: ${distrust.replace(/\.$/, '')}`);
}
