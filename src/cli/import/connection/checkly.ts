/** Imports the connection settings of a request of Checkly. */
import type { Fields, NoteTaker } from '../imported';
import { importUncheckedTls, joinTls } from './tls';

interface Request {
  readonly skipSSL?: boolean | null | undefined;
  readonly ipFamily?: string | null | undefined;
}

/** Converts the settings. Only IPv6 is converted, because IPv4 is Checkly's default. */
export function importConnection({ skipSSL, ipFamily }: Request, taker: NoteTaker): Fields {
  return {
    ipFamily: ipFamily === 'IPv6' ? '6' : null,
    tls: joinTls(importUncheckedTls(skipSSL === true, taker)),
  };
}
