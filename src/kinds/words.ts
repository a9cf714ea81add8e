/** Names the target of a check for users. Imports nothing at run time, so that every page can load it. */
import type { TargetFields } from './fields';

/** Formats `host:port`, as in a URL. */
export function formatAuthority(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Describes the target of a monitor as in /v1, like `db.example.com:5432` or `MX example.com`. */
export function formatTargetText({ url, host = '', port, record }: TargetFields): string {
  if (url !== undefined) return url;
  if (record !== undefined) return `${record} ${host}`;
  return port === undefined ? host : formatAuthority(host, port);
}
