/**
 * Converts another tool's proxy to the name of a proxy in the operator's list. Credentials of the proxy are not copied.
 */
import { z } from 'zod';
import type { NoteTaker } from '../imported';

const SCHEMES: Readonly<Record<string, string>> = {
  http: 'http',
  https: 'https',
  socks5: 'socks5',
  socks5h: 'socks5',
};
const NAME_MAX = 32;

/** The proxies in a backup of Uptime Kuma. */
export const kumaProxies = z
  .array(
    z.looseObject({
      id: z.number(),
      protocol: z.string(),
      host: z.string(),
      port: z.union([z.number(), z.string()]),
    }),
  )
  .nullish();

export type KumaProxies = z.output<typeof kumaProxies>;

/** Returns the name of the proxy. null means that the monitor uses no proxy, or one that cannot be imported. */
export function importKumaProxy(
  id: number | null | undefined,
  proxies: KumaProxies,
  taker: NoteTaker,
): string | null {
  if (!id) return null;
  const found = (proxies ?? []).find((proxy) => proxy.id === id);
  if (found !== undefined)
    return nameProxy({ ...found, port: String(found.port), scheme: found.protocol }, taker);
  taker.note(`goes through the proxy ${id}, which the backup does not have; left out`);
  return null;
}

/**
 * Converts `client.proxy-url` of Gatus to the name of a proxy. null means that there is no proxy, or one that cannot be
 * imported.
 */
export function importGatusProxy(url: string | null | undefined, taker: NoteTaker): string | null {
  if (!url) return null;
  const { protocol, hostname: host, port } = new URL(URL.canParse(url) ? url : 'none://');
  return nameProxy({ scheme: protocol.slice(0, -1), host, port }, taker);
}

/** Reads `ipv4` or `IPv6`, as Uptime Kuma and Checkly spell it. null means any version. */
export function readIpFamily(given: string | null | undefined): '4' | '6' | null {
  const version = /^ipv([46])$/i.exec(given ?? '')?.[1];
  return version === '4' || version === '6' ? version : null;
}

interface FoundProxy {
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
}

function nameProxy({ scheme, host, port }: FoundProxy, { note }: NoteTaker): string | null {
  const known = SCHEMES[scheme];
  const name = formatName(host, port);
  if (known === undefined || name === '') {
    note('goes through a proxy that is not http, https or socks5; left out');
    return null;
  }
  const address = port === '' ? host : `${host}:${port}`;
  note(
    `goes through a proxy: list it in KEEPWATCH_PROXIES as ${name}=${known}://${address}, with its user and password if it asks for them`,
  );
  return name;
}

/** Builds a name in the form that proxy names must have. Different ports of a host get different names. */
function formatName(host: string, port: string): string {
  const plain = host.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  if (plain === '' || plain === '-') return '';
  const named = /^[a-z]/.test(plain) ? plain : `proxy-${plain}`;
  const end = port === '' ? '' : `-${port}`;
  return named.slice(0, NAME_MAX - end.length).replaceAll(/-+$/g, '') + end;
}
