/**
 * Decides which addresses checks may reach: http and https to public unicast addresses, and private
 * ones only where the operator opened them. It parses first and classifies then, so that every
 * spelling of an address is the same address. It never tells a private address in a problem.
 */
import ipaddr from 'ipaddr.js';

export interface TargetGuard {
  /** What can be refused without looking anything up; null when nothing speaks against it. */
  readonly checkUrl: (url: string) => string | null;
  /** Whether this resolved address may be connected to; null when it may. */
  readonly checkAddress: (ip: string, port: number) => string | null;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

interface AllowedRange {
  readonly network: Address;
  readonly bits: number;
  readonly fromPort: number;
  readonly toPort: number;
}

const REFUSED = 'The target is not a public address, and this installation does not allow it.';
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
const PRIVATE_SUFFIXES = ['internal', 'local', 'localdomain', 'lan', 'home.arpa', 'intranet'];
/** Public by range, private by use: the host agent of Azure. */
const SPECIAL_ADDRESSES = new Set(['168.63.129.16']);
const PUBLIC_IPV6 = ipaddr.IPv6.parse('2000::');

function parseAllowed(text: string): AllowedRange {
  const [cidr = '', ports = ''] = text.split('#');
  const [ip = '', bitsText] = cidr.split('/');
  const network = ipaddr.parse(ip);
  const widest = network.kind() === 'ipv4' ? 32 : 128;
  const bits = bitsText === undefined ? widest : Number(bitsText);
  if (!Number.isInteger(bits) || bits > widest) {
    throw new RangeError(`“${text}” is not an address range: the prefix is at most ${widest}.`);
  }
  if (ports === '') return { network, bits, fromPort: 1, toPort: 65535 };
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

/** ISATAP writes an IPv4 address into the interface part of an address of any network. */
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

/** What an IPv6 address carries, when it carries IPv4; else the address itself. */
function unmapped(address: Address): Address {
  return (isIpv6(address) ? embeddedIpv4(address) : null) ?? address;
}

function isWithin(address: Address, { network, bits }: AllowedRange): boolean {
  if (isIpv6(address)) return isIpv6(network) && address.match(network, bits);
  return !isIpv6(network) && address.match(network, bits);
}

/** The host of a URL without brackets and without the final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** The port that a URL means, also when it names none. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** True for names that always mean this machine (RFC 6761 §6.3). */
export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === 'localhost.localdomain';
}

function isPrivateName(host: string): boolean {
  return PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/** @throws RangeError for a range that is none, so that a wrong setting is seen at start. */
export function createTargetGuard(allowed: readonly string[]): TargetGuard {
  const ranges = allowed.map(parseAllowed);

  function checkAddress(ip: string, port: number): string | null {
    const plain = ip.replace(/%.*$/, '');
    if (!ipaddr.isValid(plain)) return REFUSED;
    const parsed = ipaddr.parse(plain);
    if (isPublic(parsed)) return null;
    const spellings = [parsed, unmapped(parsed)];
    const isAllowed = ranges.some(
      (range) =>
        port >= range.fromPort &&
        port <= range.toPort &&
        spellings.some((address) => isWithin(address, range)),
    );
    return isAllowed ? null : REFUSED;
  }

  function checkHost(host: string, port: number): string | null {
    if (host === '') return 'The address has no host.';
    if (ipaddr.isValid(host)) return checkAddress(host, port);
    if (METADATA_NAMES.has(host)) return REFUSED;
    if (isLoopbackName(host)) {
      const isRefused = ['127.0.0.1', '::1'].every((ip) => checkAddress(ip, port) !== null);
      return isRefused ? REFUSED : null;
    }
    // With private ranges opened, such a name may well lead into one: its address decides.
    return isPrivateName(host) && ranges.length === 0 ? REFUSED : null;
  }

  function checkUrl(text: string): string | null {
    if (!URL.canParse(text)) return 'The address is not a URL.';
    const url = new URL(text);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      return 'Only http and https addresses can be checked.';
    }
    return checkHost(hostOf(url), portOf(url));
  }

  return { checkUrl, checkAddress };
}
