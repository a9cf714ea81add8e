/**
 * Decides which IP addresses checks may reach: public addresses, and private addresses that the operator has allowed.
 * Always refuses targets that the operator has denied, this installation's own ports, and for HTTP the ports of other
 * protocols. Messages never contain a private IP address.
 */
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { isKindScheme } from '../contracts/kinds';
import { isBadPort } from '../domain/definitions/bad-ports';
import { isLoopbackName, isPrivateName } from '../domain/definitions/private-names';
import { PRIVATE_REFUSED, writeRefusalWithAdvice } from '../domain/definitions/target-refusal';

export interface TargetGuard {
  /** Returns why a URL is refused, without a DNS look-up. null means that it is not refused. */
  readonly checkUrl: (url: string) => string | null;
  /** Returns why a parsed URL is refused, without a DNS look-up. null means that it is not refused. */
  readonly checkParsed: (url: URL) => string | null;
  /**
   * Like `checkUrl`, but the refusal contains advice on how the operator can allow the URL. Show the advice only to the
   * user who entered the URL. It contains the host, and in results the host may be an extracted value.
   */
  readonly adviseOnUrl: (url: string) => string | null;
  /**
   * Returns why an endpoint is refused, for kinds of checks other than HTTP. These kinds may use any port. Port 0 means
   * that the kind has no ports. null means that the endpoint is not refused.
   */
  readonly checkEndpoint: (host: string, port: number) => string | null;
  /** Returns why a connection to this IP address is refused. null means that it is allowed. */
  readonly checkAddress: (ip: string, port: number) => string | null;
}

export interface TargetRules {
  /** Private ranges that may be reached: `CIDR`, `CIDR#port` or `CIDR#from-to`. */
  readonly allowedPrivateTargets: readonly string[];
  /** Ranges that must not be reached, in the same notation. They take precedence over allowed ranges. */
  readonly deniedTargets?: readonly string[];
  /** Ports of this installation. They are refused on every IP address of this machine. */
  readonly ownPorts?: readonly number[];
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

interface PortRange {
  readonly network: Address;
  readonly bits: number;
  readonly fromPort: number;
  readonly toPort: number;
}

const REFUSED = PRIVATE_REFUSED;
const METADATA_NAMES = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.azure.com',
  'metadata.tencentyun.com',
  'metadata.oraclecloud.com',
  'metadata.packet.net',
  'instance-data',
  'instance-data.ec2.internal',
  'kubernetes.default.svc',
]);
/** Addresses that look public but are used privately. The address here belongs to Azure's host agent. */
const SPECIAL_ADDRESSES = new Set(['168.63.129.16']);
const PUBLIC_IPV6 = ipaddr.IPv6.parse('2000::');

function parseRange(text: string): PortRange {
  const [cidr = '', ports = ''] = text.split('#');
  const [ip = '', bitsText] = cidr.split('/');
  const network = ipaddr.parse(ip);
  const widest = network.kind() === 'ipv4' ? 32 : 128;
  const bits = bitsText === undefined ? widest : Number(bitsText);
  if (!Number.isInteger(bits) || bits > widest) {
    throw new RangeError(`“${text}” is not a valid URL range: the prefix is at most ${widest}.`);
  }
  // Without ports, the range also includes port 0, which means a target without a port.
  if (ports === '') return { network, bits, fromPort: 0, toPort: 65535 };
  const [from = '', to = from] = ports.split('-');
  return { network, bits, fromPort: Number(from), toPort: Number(to) };
}

function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const bytes = address.toByteArray();
  const at = (offset: number) => new ipaddr.IPv4(bytes.slice(offset, offset + 4));
  const startsWith = (prefix: readonly number[]) => prefix.every((byte, i) => bytes[i] === byte);
  const zeros = (count: number) => Array<number>(count).fill(0);
  if (startsWith([0x20, 0x02])) return at(2);
  if (startsWith([0x00, 0x64, 0xff, 0x9b, ...zeros(8)])) return at(12);
  if (startsWith([...zeros(10), 0xff, 0xff])) return at(12);
  return startsWith(zeros(12)) ? at(12) : null;
}

/** True for an ISATAP address. Such an IPv6 address embeds an IPv4 address in its interface part, in any network. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , upper = 0, lower = 0] = address.parts;
  return (upper & 0xfdff) === 0 && lower === 0x5efe;
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !SPECIAL_ADDRESSES.has(address.toString());
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  const embedded = embeddedIpv4(address);
  if (embedded !== null) return isPublicIpv4(embedded);
  return address.range() === 'unicast' && address.match(PUBLIC_IPV6, 3) && !isIsatap(address);
}

function isIpv6(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6';
}

function isPublic(address: Address): boolean {
  return isIpv6(address) ? isPublicIpv6(address) : !isIpv6(address) && isPublicIpv4(address);
}

/** Returns the IPv4 address that an IPv6 address embeds. Returns any other address unchanged. */
function readEmbedded(address: Address): Address {
  return (isIpv6(address) ? embeddedIpv4(address) : null) ?? address;
}

function isWithin(address: Address, { network, bits }: PortRange): boolean {
  if (isIpv6(address)) return isIpv6(network) && address.match(network, bits);
  return !isIpv6(network) && address.match(network, bits);
}

/** True for loopback and for the current addresses of this machine's interfaces. */
function isOwnAddress(address: Address): boolean {
  if (['loopback', 'unspecified'].includes(address.range())) return true;
  const text = address.toString();
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some((own) => ipaddr.parse(own.address.replace(/%.*$/, '')).toString() === text),
  );
}

/** Returns the host of a URL without brackets and without the final dot. */
export function readHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

const USUAL_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'ws:': 80,
  'wss:': 443,
};

/** Returns the port of a URL, or the default port of its scheme. 0 means that the kind has no ports. */
export function readPort(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return USUAL_PORTS[url.protocol] ?? 0;
}

function isOfOtherKind({ protocol }: URL): boolean {
  return isKindScheme(protocol.slice(0, -1));
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** @throws RangeError if a range is invalid, so that a wrong setting is noticed at start. */
export function createTargetGuard(rules: TargetRules): TargetGuard {
  const allowed = rules.allowedPrivateTargets.map(parseRange);
  const denied = (rules.deniedTargets ?? []).map(parseRange);
  const ownPorts = new Set(rules.ownPorts);

  function checkAddress(ip: string, port: number): string | null {
    const plain = ip.replace(/%.*$/, '');
    if (!ipaddr.isValid(plain)) return REFUSED;
    const parsed = ipaddr.parse(plain);
    const spellings = [parsed, readEmbedded(parsed)];
    const isIn = (range: PortRange): boolean =>
      port >= range.fromPort &&
      port <= range.toPort &&
      spellings.some((address) => isWithin(address, range));
    if (denied.some(isIn)) return REFUSED;
    if (ownPorts.has(port) && spellings.some(isOwnAddress)) return REFUSED;
    return isPublic(parsed) || allowed.some(isIn) ? null : REFUSED;
  }

  function checkHost(host: string, port: number): string | null {
    if (host === '') return 'The URL has no host.';
    if (ipaddr.isValid(host)) return checkAddress(host, port);
    if (METADATA_NAMES.has(host)) return REFUSED;
    if (isLoopbackName(host)) {
      const isRefused = ['127.0.0.1', '::1'].every((ip) => checkAddress(ip, port) !== null);
      return isRefused ? REFUSED : null;
    }
    // If private ranges are allowed, the name may lead into one. Its IP address is then checked later.
    return isPrivateName(host) && allowed.length === 0 ? REFUSED : null;
  }

  function checkParsed(url: URL): string | null {
    if (!isWeb(url)) return 'Only http and https URLs can be checked.';
    const port = readPort(url);
    if (isBadPort(port)) return `Port ${port} belongs to another protocol and cannot be checked.`;
    return checkHost(readHost(url), port);
  }

  function checkUrl(text: string): string | null {
    if (!URL.canParse(text)) return 'This is not a valid URL.';
    const url = new URL(text);
    const hasNoHost = /^\w+:\/\/[/\\?#]/.test(text.trim());
    return isWeb(url) && hasNoHost ? 'The URL has no host.' : checkParsed(url);
  }

  function checkAny(text: string): string | null {
    const url = URL.canParse(text) ? new URL(text) : null;
    return url !== null && isOfOtherKind(url)
      ? checkHost(readHost(url), readPort(url))
      : checkUrl(text);
  }

  return {
    checkUrl,
    checkParsed,
    checkEndpoint: checkHost,
    checkAddress,
    adviseOnUrl: (text) => advise(rules, text, checkAny(text)),
  };
}

/** Returns the refusal. For an IP address, it also names the range that would allow it. */
function advise(rules: TargetRules, text: string, refusal: string | null): string | null {
  if (refusal !== REFUSED) return refusal;
  const url = new URL(text);
  const range = rangeFor(rules, readHost(url), readPort(url));
  if (range === null) return refusal;
  return writeRefusalWithAdvice(range, rules.allowedPrivateTargets.length === 0);
}

/**
 * Returns the range that would allow the host. null means that no range would allow it, or that the host is not an IP
 * address.
 */
function rangeFor(rules: TargetRules, host: string, port: number): string | null {
  const ip = isLoopbackName(host) ? '127.0.0.1' : host;
  if (!ipaddr.isValid(ip)) return null;
  const address = ipaddr.parse(ip);
  // For an address of this machine, suggests to allow only this port, because other services of the machine must stay
  // out of reach.
  const ports = port > 0 && isOwnAddress(readEmbedded(address)) ? `#${port}` : '';
  const range = `${ip}/${address.kind() === 'ipv4' ? 32 : 128}${ports}`;
  const allowedPrivateTargets = [...rules.allowedPrivateTargets, range];
  const { checkAddress } = createTargetGuard({ ...rules, allowedPrivateTargets });
  return checkAddress(ip, port) === null ? range : null;
}
