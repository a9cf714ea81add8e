/** What a database server says of itself, for an operator who asks. It reads no data. */
import type { Database } from './database';

export interface DatabaseFacts {
  readonly version: string;
  readonly isEmbedded: boolean;
  /** How far its clock is ahead of this host's; negative when behind. Good to half a round trip. */
  readonly clockAheadMs: number;
}

export async function describeServer({ connection }: Database): Promise<DatabaseFacts> {
  const admin = connection.getClient().db('admin');
  const { version, modules } = await admin.command({ buildInfo: 1 });
  const askedAtMs = Date.now();
  const { localTime } = await admin.command({ hello: 1 });
  const halfwayMs = (askedAtMs + Date.now()) / 2;
  return {
    version: String(version),
    isEmbedded: Array.isArray(modules) && modules.includes('keepwatch-embedded'),
    clockAheadMs: Math.round(new Date(localTime).getTime() - halfwayMs),
  };
}
