/** What people read of what a kind checks. It needs nothing, so that every page may load it. */
import type { TargetFields } from './fields';

/** `host:port`, as an address holds them. */
export function authorityOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** What is checked, of a monitor as /v1 has it: `db.example.com:5432`, or `MX example.com`. */
export function targetText({ url, host = '', port, record }: TargetFields): string {
  if (url !== undefined) return url;
  if (record !== undefined) return `${record} ${host}`;
  return port === undefined ? host : authorityOf(host, port);
}
