/** What a database server says of itself: to an operator who asks, and the time to those who share it. */
import type { Database } from './database';
import { withinDeadline } from './deadline';

export interface DatabaseFacts {
  readonly version: string;
  readonly isEmbedded: boolean;
  /** How far its clock is ahead of this host's; negative when behind. Good to half a round trip. */
  readonly clockAheadMs: number;
}

const TIME_WITHIN_MS = 2_500;

export async function describeServer(database: Database): Promise<DatabaseFacts> {
  const admin = database.connection.getClient().db('admin');
  const { version, modules } = await admin.command({ buildInfo: 1 });
  const askedAtMs = Date.now();
  const shownMs = await readServerTime(database);
  const halfwayMs = (askedAtMs + Date.now()) / 2;
  return {
    version: String(version),
    isEmbedded: Array.isArray(modules) && modules.includes('keepwatch-embedded'),
    clockAheadMs: Math.round(shownMs - halfwayMs),
  };
}

/** What its clock shows, in milliseconds since the epoch. Throws while it is away. */
export async function readServerTime({ connection }: Database): Promise<number> {
  const admin = connection.getClient().db('admin');
  const { localTime } = await withinDeadline(() => admin.command({ hello: 1 }), TIME_WITHIN_MS);
  return new Date(localTime).getTime();
}
