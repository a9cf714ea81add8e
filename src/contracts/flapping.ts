/** The response of people to an incident, and what they know about a time of flapping. */

/** The current response of people to an incident, as a whole. */
export interface IncidentSilence {
  readonly incidentId: string;
  /** Grows with every change; one older than that in force is ignored. */
  readonly sequence: number;
  /** Nothing more is sent about it until it is over. */
  readonly isAcknowledged: boolean;
  /** Nothing is sent about it before this instant; null: not snoozed. */
  readonly snoozedUntilMs: number | null;
}

/** A time of flapping, as people know it. */
export interface Flapping {
  /** The number of outages so far. */
  readonly outages: number;
  /** When the first of them began. */
  readonly sinceMs: number;
  readonly notifiedAtMs: number;
  /** The last outage that people were notified of because it lasted; null: none. */
  readonly stayedDown: { readonly incidentId: string; readonly atMs: number } | null;
  /** The last response of people to one of its outages; null: none. */
  readonly silence: IncidentSilence | null;
}

/** The facts about flapping in an alert. */
export interface FlappingFacts {
  readonly outages: number;
  readonly sinceMs: number;
  /** People were notified of it before. */
  readonly isAgain: boolean;
}
