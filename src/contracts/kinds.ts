/**
 * Types of checks other than HTTP: what is stored of each, and what its probe carries out. A stored step without a type
 * is an HTTP request.
 */

export const NETWORK_KINDS = ['tcp', 'tls', 'dns', 'ping', 'websocket', 'grpc', 'domain'] as const;
export type NetworkKind = (typeof NETWORK_KINDS)[number];

/** Protocols that begin in plain text and switch to TLS on request. */
export const START_TLS_PROTOCOLS = ['smtp', 'imap', 'pop3', 'postgres', 'ldap'] as const;
export type StartTlsProtocol = (typeof START_TLS_PROTOCOLS)[number];

export interface TcpSettings {
  /** Lower case, IDNA-encoded; an IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on; never together with `startTls`. */
  readonly useTls: boolean;
  readonly startTls: StartTlsProtocol | null;
  /** May contain references; null: nothing is sent. */
  readonly send: string | null;
  /** The same as bytes in base64; never together with `send`. */
  readonly sendBase64: string | null;
  /** A pattern that the response must match; null: nothing is read. */
  readonly expect: string | null;
}

/** The possible minimum versions; no check speaks older ones. */
export const TLS_VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const;
export type TlsVersion = (typeof TLS_VERSIONS)[number];

export interface TlsSettings {
  readonly host: string;
  readonly port: number;
  /** The name in the handshake, for which the certificate must be valid; null: the host. */
  readonly serverName: string | null;
  readonly minVersion: TlsVersion;
  /** Further names for which the certificate must be valid. */
  readonly names: readonly string[];
  readonly startTls: StartTlsProtocol | null;
}

export const DNS_RECORDS = [
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'TXT',
  'NS',
  'CAA',
  'SOA',
  'SRV',
  'PTR',
] as const;
export type DnsRecord = (typeof DNS_RECORDS)[number];

/** The response codes that can be expected: there are records, or there is no such name. */
export const DNS_CODES = ['NOERROR', 'NXDOMAIN'] as const;

export interface DnsSettings {
  /** The name that is queried; for PTR it may be an IP address. */
  readonly host: string;
  readonly record: DnsRecord;
  /** `address` or `address:port`; empty: those of the probe's machine, of which the first that responds decides. */
  readonly servers: readonly string[];
  /** With several servers: all must give the same good response, or any one a good one. */
  readonly agree: 'all' | 'any';
  readonly transport: 'udp' | 'tcp';
  readonly rcode: (typeof DNS_CODES)[number];
  /** A pattern that the records must match, one record per line; null: any record will do. */
  readonly expect: string | null;
}

export interface PingSettings {
  readonly host: string;
  /** Packets of one check. */
  readonly count: number;
  /** The check fails if a larger share of packets is lost, and always if all are. */
  readonly lossPercent: number;
  /** 95 of 100 packets must be back within this time; null: they only have to come back. */
  readonly p95Ms: number | null;
}

export interface WebSocketSettings {
  /** ws or wss, without references. */
  readonly url: string;
  /** Headers of the upgrade request; values may contain references. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly subprotocol: string | null;
  /** One text message, which may contain references; null: nothing is sent. */
  readonly send: string | null;
  /** A pattern that one of the messages must match; null: it waits for no message. */
  readonly expect: string | null;
}

export interface GrpcSettings {
  readonly host: string;
  readonly port: number;
  readonly useTls: boolean;
  /** The name in the handshake, for which the certificate must be valid; null: the host. */
  readonly serverName: string | null;
  /** The service name that grpc.health.v1 is asked about; null: the whole server. */
  readonly service: string | null;
}

export interface DomainSettings {
  /** The registered domain. */
  readonly host: string;
  /** Days before its registration expires at which people are warned, largest first. */
  readonly warnDays: readonly number[];
}

/** The fields of each kind, as bodies and responses name them. */
export interface NetworkSettings {
  readonly tcp: TcpSettings;
  readonly tls: TlsSettings;
  readonly dns: DnsSettings;
  readonly ping: PingSettings;
  readonly websocket: WebSocketSettings;
  readonly grpc: GrpcSettings;
  readonly domain: DomainSettings;
}

/** The fields that every kind has. */
export interface NetworkStepBase {
  readonly name: string;
  /** Scheme, host and port, like `tcp://db.example.com:5432`: used for display, search and grouping. */
  readonly url: string;
  /** The time limit of one try. */
  readonly timeoutMs: number;
  /** Immediate further tries before the step counts as failed. */
  readonly retries: number;
  /** Slower than this, but otherwise passing: degraded. */
  readonly degradedAboveMs: number | null;
  /** Days before its certificate, or what else it looks at, expires at which people are warned, largest first. */
  readonly tlsWarnDays: readonly number[];
  /** Set in tests: shows more of the response. */
  readonly showsBody?: true | undefined;
}

/** A kind with its own fields. */
export type NetworkCheck<Type extends NetworkKind = NetworkKind> = {
  readonly [Each in Type]: {
    readonly type: Each;
    readonly settings: NetworkSettings[Each];
  };
}[Type];

/** One check of a kind, discriminated by its type. */
export type NetworkStep = NetworkStepBase & NetworkCheck;

export function networkMethod(type: NetworkKind): string {
  return type.toUpperCase();
}

/** True if this method, as results name it, belongs to a type of check other than HTTP. */
export function isNetworkMethod(method: string): boolean {
  return NETWORK_KINDS.some((type) => networkMethod(type) === method);
}

export function isNetworkKind(type: unknown): type is NetworkKind {
  return NETWORK_KINDS.some((known) => known === type);
}

/** True if a URL of this scheme belongs to one of these types: its own name, except for WebSockets. */
export function isKindScheme(scheme: string): boolean {
  return isNetworkKind(scheme) || scheme === 'ws' || scheme === 'wss';
}
