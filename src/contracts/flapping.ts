/** Acknowledgements and snoozes of an incident, and what people have been notified of about its flapping. */

/** Whether an incident is acknowledged or snoozed. Each change is sent as a whole, not as a difference. */
export interface IncidentSilence {
  readonly incidentId: string;
  /** Grows with every change. A change with a lower number than the current one is ignored. */
  readonly sequence: number;
  /** Nothing more is sent about it until it is over. */
  readonly isAcknowledged: boolean;
  /** Nothing is sent about it before this instant; null: not snoozed. */
  readonly snoozedUntilMs: number | null;
}

/** A time of flapping, as far as people have been notified of it. */
export interface Flapping {
  /** The number of outages so far. */
  readonly outages: number;
  /** When the first of them began. */
  readonly sinceMs: number;
  readonly notifiedAtMs: number;
  /** The last outage that people were notified of because it lasted; null: none. */
  readonly stayedDown: { readonly incidentId: string; readonly atMs: number } | null;
  /** The last acknowledgement or snooze of one of its outages; null: none. */
  readonly silence: IncidentSilence | null;
}

/** The facts about flapping in an alert. */
export interface FlappingFacts {
  readonly outages: number;
  readonly sinceMs: number;
  /** People were notified of it before. */
  readonly isAgain: boolean;
}
