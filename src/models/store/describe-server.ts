/** Reads facts about a database server for operators, and its time for the shared clock. */
import type { Database } from './database';
import { withinDeadline } from './deadline';

export interface DatabaseFacts {
  readonly version: string;
  readonly isEmbedded: boolean;
  /**
   * Milliseconds by which the server's clock is ahead of this host's clock, accurate to half a round trip. Negative if
   * the server's clock is behind.
   */
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

/** Returns the server's time in milliseconds since the epoch. Throws if the server is unavailable. */
export async function readServerTime({ connection }: Database): Promise<number> {
  const admin = connection.getClient().db('admin');
  const { localTime } = await withinDeadline(() => admin.command({ hello: 1 }), TIME_WITHIN_MS);
  return new Date(localTime).getTime();
}
