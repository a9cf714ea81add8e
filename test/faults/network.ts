/**
 * Runs the API and the probe of a stage, each in its own network namespace. The router between them can drop every
 * packet without FIN, RST or ICMP, like a cut cable. Needs root and iproute2. Independent of any service.
 */
import { spawnSync } from 'node:child_process';

/** Network that is reserved for tests between networks (RFC 2544). */
export const NETWORK = '198.18.0.0/16';
/** IP addresses outside the namespaces: the two servers, and `others` for everything else on this machine. */
const OUTSIDE = { others: '198.18.0.1', database: '198.18.0.10', temporal: '198.18.0.11' } as const;
const INSIDE = { api: '198.18.1.2', probe: '198.18.2.2' } as const;
const ADDRESSES = { ...OUTSIDE, ...INSIDE };
const ROUTER = 'keepwatch-router';
const LINK = 'keepwatch0';

export type Place = keyof typeof ADDRESSES;

export interface Network {
  readonly addresses: Readonly<Record<Place, string>>;
  /** Returns the prefix of a command that runs a program in this namespace. */
  readonly enter: (place: keyof typeof INSIDE) => readonly string[];
  readonly cut: (one: Place, other: Place) => void;
  readonly heal: (one: Place, other: Place) => void;
  readonly close: () => void;
}

/** Opens the network. Returns null if this user cannot create namespaces, or if iproute2 is missing. */
export function openNetwork(): Network | null {
  removeAll();
  if (!isDone('netns', 'add', ROUTER)) return null;
  try {
    connectOutside();
    for (const [nth, place] of (['api', 'probe'] as const).entries()) connectInside(place, nth + 1);
  } catch (error) {
    removeAll();
    throw error;
  }
  const change = (how: 'add' | 'del') => (one: Place, other: Place) => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      ip(`-n ${ROUTER} rule ${how} from ${ADDRESSES[from]} to ${ADDRESSES[to]} blackhole`);
  };
  return {
    addresses: ADDRESSES,
    enter: (place) => ['ip', 'netns', 'exec', namespaceOf(place)],
    cut: change('add'),
    heal: change('del'),
    close: removeAll,
  };
}

function connectOutside(): void {
  ip(`link add ${LINK} type veth peer name eth0 netns ${ROUTER}`);
  for (const address of Object.values(OUTSIDE)) ip(`addr add ${address}/24 dev ${LINK}`);
  ip(`link set ${LINK} up`);
  ip(`-n ${ROUTER} addr add 198.18.0.254/24 dev eth0`);
  ip(`-n ${ROUTER} link set eth0 up`);
  ip(`route add ${NETWORK} via 198.18.0.254`);
  ip(`netns exec ${ROUTER} sysctl -qw net.ipv4.ip_forward=1`);
}

function connectInside(place: keyof typeof INSIDE, subnet: number): void {
  const namespace = namespaceOf(place);
  ip(`netns add ${namespace}`);
  ip(`link add ${place} netns ${ROUTER} type veth peer name eth0 netns ${namespace}`);
  ip(`-n ${ROUTER} addr add 198.18.${subnet}.1/24 dev ${place}`);
  ip(`-n ${ROUTER} link set ${place} up`);
  ip(`-n ${namespace} addr add ${INSIDE[place]}/24 dev eth0`);
  for (const device of ['lo', 'eth0']) ip(`-n ${namespace} link set ${device} up`);
  ip(`-n ${namespace} route add default via 198.18.${subnet}.1`);
}

function namespaceOf(place: string): string {
  return `keepwatch-${place}`;
}

/** Removes all namespaces of this network, including those of an earlier run that was killed. */
function removeAll(): void {
  isDone('link', 'del', LINK);
  for (const namespace of [ROUTER, ...Object.keys(INSIDE).map(namespaceOf)])
    isDone('netns', 'del', namespace);
}

function isDone(...args: readonly string[]): boolean {
  return spawnSync('ip', args, { stdio: 'ignore' }).status === 0;
}

function ip(command: string): void {
  const { status, stderr } = spawnSync('ip', command.split(' '), { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${command}: ${stderr}`);
}
