/** The least that a check of each kind needs, beside its name. */
import type { NetworkKind } from '../../../src/contracts/kinds';

export const LEAST: Readonly<Record<NetworkKind, Readonly<Record<string, unknown>>>> = {
  tcp: { host: 'a.example.com', port: 5432 },
  tls: { host: 'a.example.com' },
  dns: { host: 'a.example.com', record: 'MX' },
  ping: { host: 'a.example.com' },
};
