/** What an incident consists of beside its own fields. Types only. */

/** The episodes of one incident before one of them; all are over. */
export interface EarlierEpisodes {
  readonly firstId: string;
  readonly firstOpenedAtMs: number;
  /** At least 1. */
  readonly count: number;
  /** Of the time down alone. */
  readonly downMs: number;
}

/** What somebody did about it. */
export interface SilenceChange {
  readonly atMs: number;
  readonly kind: 'acknowledged' | 'unacknowledged' | 'snoozed';
  readonly text: string;
  /** Of the mail whose link was used. */
  readonly link?: string;
}

export interface IncidentNote {
  readonly atMs: number;
  readonly by: string;
  readonly text: string;
}
