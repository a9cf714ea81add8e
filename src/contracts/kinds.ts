/** Types of checks other than HTTP, and their stored fields. A stored step without a type is an HTTP request. */

export const NETWORK_KINDS = ['tcp', 'tls', 'dns', 'ping', 'websocket', 'grpc', 'domain'] as const;
export type NetworkKind = (typeof NETWORK_KINDS)[number];

/** URL schemes that differ from the name of their kind of check. */
export const OTHER_SCHEMES: Readonly<Record<string, NetworkKind>> = {
  ws: 'websocket',
  wss: 'websocket',
};

/** Protocols that start in plain text and switch to TLS with a command. */
export const START_TLS_PROTOCOLS = ['smtp', 'imap', 'pop3', 'postgres', 'ldap'] as const;
export type StartTlsProtocol = (typeof START_TLS_PROTOCOLS)[number];

export interface TcpSettings {
  /** The host in lower case, IDNA-encoded. An IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
  /** True for TLS from the first byte on. Never set together with `startTls`. */
  readonly useTls: boolean;
  readonly startTls: StartTlsProtocol | null;
  /** The text to send, which may contain references. null means that nothing is sent. */
  readonly send: string | null;
  /** The data to send as bytes in base64. Never together with `send`. */
  readonly sendBase64: string | null;
  /** A pattern that the response must match. null means that the response is not read. */
  readonly expect: string | null;
}

/** The versions that can be required as the minimum. Checks never use older versions. */
export const TLS_VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const;
export type TlsVersion = (typeof TLS_VERSIONS)[number];

export interface TlsSettings {
  readonly host: string;
  readonly port: number;
  /** The name in the handshake, for which the certificate must be valid. null means the host. */
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

/** The response codes that can be expected. */
export const DNS_CODES = ['NOERROR', 'NXDOMAIN'] as const;

export interface DnsSettings {
  /** The queried name. For PTR, an IP address is allowed. */
  readonly host: string;
  readonly record: DnsRecord;
  /**
   * Each server is `address` or `address:port`. If the list is empty, the servers of the probe's machine are used. The
   * first server that responds decides.
   */
  readonly servers: readonly string[];
  /**
   * How several servers decide. With `all`, all must give the same good response. With `any`, one good response is
   * enough.
   */
  readonly agree: 'all' | 'any';
  readonly transport: 'udp' | 'tcp';
  readonly rcode: (typeof DNS_CODES)[number];
  /** A pattern for the records, one per line. null means that any record passes. */
  readonly expect: string | null;
}

export interface PingSettings {
  readonly host: string;
  /** How many packets one check sends. */
  readonly count: number;
  /**
   * A percentage of the packets. The check fails if a larger percentage is lost, and always if all packets are lost.
   */
  readonly lossPercent: number;
  /** 95 of 100 packets must return within this time. null if there is no limit. */
  readonly p95Ms: number | null;
}

export interface WebSocketSettings {
  /** A ws or wss URL without references. */
  readonly url: string;
  /** Headers of the upgrade request; values may contain references. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly subprotocol: string | null;
  /** One text message, which may contain references. null means that nothing is sent. */
  readonly send: string | null;
  /** A pattern for one of the messages. null means that the check waits for no message. */
  readonly expect: string | null;
}

export interface GrpcSettings {
  readonly host: string;
  readonly port: number;
  readonly useTls: boolean;
  /** The name in the handshake, for which the certificate must be valid. null means the host. */
  readonly serverName: string | null;
  /** The service whose health is requested. null means the whole server. */
  readonly service: string | null;
}

export interface DomainSettings {
  /** The domain whose registration is checked. */
  readonly host: string;
  /** How many days before the registration expires people are warned, largest first. */
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

/** The fields that every kind of check has. */
export interface NetworkStepBase {
  readonly name: string;
  /** Scheme, host and port, for example `tcp://db.example.com:5432`. Used for display, search and grouping. */
  readonly url: string;
  /** The timeout of one try. */
  readonly timeoutMs: number;
  /** How many times the step is retried immediately before it counts as failed. */
  readonly retries: number;
  /** A passing check that is slower than this limit is degraded. */
  readonly degradedAboveMs: number | null;
  /** How many days before the certificate or domain registration expires people are warned, largest first. */
  readonly tlsWarnDays: readonly number[];
  /** Set in tests of a definition. The result then shows more of the response. */
  readonly showsBody?: true | undefined;
}

/** A check with the fields of its kind. */
export type NetworkCheck<Type extends NetworkKind = NetworkKind> = {
  readonly [Each in Type]: {
    readonly type: Each;
    readonly settings: NetworkSettings[Each];
  };
}[Type];

export type NetworkStep = NetworkStepBase & NetworkCheck;

export function networkMethod(type: NetworkKind): string {
  return type.toUpperCase();
}

/** True if the method of a result belongs to a type of check other than HTTP. */
export function isNetworkMethod(method: string): boolean {
  return NETWORK_KINDS.some((type) => networkMethod(type) === method);
}

export function isNetworkKind(type: unknown): type is NetworkKind {
  return NETWORK_KINDS.some((known) => known === type);
}

/** True if a URL with this scheme belongs to one of these types. */
export function isKindScheme(scheme: string): boolean {
  return isNetworkKind(scheme) || scheme === 'ws' || scheme === 'wss';
}
