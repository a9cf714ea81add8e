/** What people know and said of an incident, and of a time in which its check goes up and down too often. */

/** How people answered an incident, as a whole. */
export interface IncidentSilence {
  readonly incidentId: string;
  /** Grows with every change; an older one than that in force is ignored. */
  readonly sequence: number;
  /** Nothing more is sent of it until it is over. */
  readonly isAcknowledged: boolean;
  /** Nothing is sent of it before this instant; null: not snoozed. */
  readonly snoozedUntilMs: number | null;
}

/** A time of flapping, as people know it. */
export interface Flapping {
  /** So far. */
  readonly outages: number;
  /** When the first of them began. */
  readonly sinceMs: number;
  readonly notifiedAtMs: number;
  /** The last outage of which people heard that it lasts; null: none did. */
  readonly stayedDown: { readonly incidentId: string; readonly atMs: number } | null;
  /** How people answered its last outage that they answered; null: none. */
  readonly silence: IncidentSilence | null;
}

/** What an alert says of flapping. */
export interface FlappingFacts {
  readonly outages: number;
  readonly sinceMs: number;
  /** People heard of it before. */
  readonly isAgain: boolean;
}
