/** Types of the nested parts of an incident. */

/** The earlier episodes of an incident, all of them over. */
export interface EarlierEpisodes {
  readonly firstId: string;
  readonly firstOpenedAtMs: number;
  /** The number of earlier episodes, at least 1. */
  readonly count: number;
  /** Total time down. Times between episodes are left out. */
  readonly downMs: number;
}

export interface SilenceChange {
  readonly atMs: number;
  readonly kind: 'acknowledged' | 'unacknowledged' | 'snoozed';
  readonly text: string;
  /** Identifies the email link that the person used. */
  readonly link?: string;
}

export interface IncidentNote {
  readonly atMs: number;
  readonly by: string;
  readonly text: string;
}
