/** Nested parts of an incident. Types only. */

/** The earlier episodes of an incident, all of them over. */
export interface EarlierEpisodes {
  readonly firstId: string;
  readonly firstOpenedAtMs: number;
  /** At least 1. */
  readonly count: number;
  /** Total time down, without the recoveries between episodes. */
  readonly downMs: number;
}

export interface SilenceChange {
  readonly atMs: number;
  readonly kind: 'acknowledged' | 'unacknowledged' | 'snoozed';
  readonly text: string;
  /** Identifies the email link that was used. */
  readonly link?: string;
}

export interface IncidentNote {
  readonly atMs: number;
  readonly by: string;
  readonly text: string;
}
