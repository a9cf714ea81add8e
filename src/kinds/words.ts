/** What people read of a kind and of what it checks, a line each. It needs nothing, so that every page may load it. */
import type { NetworkKind } from '../contracts/kinds';

interface KindWords {
  /** In a choice. */
  readonly label: string;
  /** Of its form. */
  readonly title: string;
  /** Into what it hands on as JSON, where that is not what comes back itself. */
  readonly examplePath?: string;
}

export const KIND_WORDS: Readonly<Record<NetworkKind, KindWords>> = {
  tcp: { label: 'TCP port', title: 'TCP check' },
  tls: { label: 'TLS certificate', title: 'TLS check', examplePath: '$.daysUntilExpiry' },
  dns: { label: 'DNS record', title: 'DNS check', examplePath: '$.records[0]' },
  ping: { label: 'Ping', title: 'Ping', examplePath: '$.meanMs' },
  websocket: { label: 'WebSocket', title: 'WebSocket check', examplePath: '$.messages[0]' },
  grpc: { label: 'gRPC health', title: 'gRPC check', examplePath: '$.status' },
  domain: { label: 'Domain', title: 'Domain check', examplePath: '$.daysUntilExpiry' },
};

/** `host:port`, as an address holds them. */
export function authorityOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

interface Target {
  readonly url?: string;
  readonly host?: string;
  readonly port?: number;
  readonly record?: string;
}

/** What is checked, of a monitor as /v1 has it: `db.example.com:5432`, or `MX example.com`. */
export function targetText({ url, host = '', port, record }: Target): string {
  if (url !== undefined) return url;
  if (record !== undefined) return `${record} ${host}`;
  return port === undefined ? host : authorityOf(host, port);
}
