/**
 * Acknowledgements and snoozes of an incident, and the last notification about flapping (frequent changes between up
 * and down).
 */

/** Whether an incident is acknowledged or snoozed. Each change sends the complete state, not a difference. */
export interface IncidentSilence {
  readonly incidentId: string;
  /** Grows with every change. A change with a lower number than the current number is ignored. */
  readonly sequence: number;
  /**
   * True means that someone acknowledged the incident. Until the incident is over, only policy steps with `until:
   * 'recovered'` send anything more.
   */
  readonly isAcknowledged: boolean;
  /** Until this time, nothing is sent about the incident. null if it is not snoozed. */
  readonly snoozedUntilMs: number | null;
}

/** A period of flapping that people have been notified of. */
export interface Flapping {
  /** The number of outages so far. */
  readonly outages: number;
  /** When the first outage of this period began. */
  readonly sinceMs: number;
  readonly notifiedAtMs: number;
  /** The latest outage of this period that lasted long enough for people to be notified. null if there is none. */
  readonly stayedDown: { readonly incidentId: string; readonly atMs: number } | null;
  /** The last acknowledgement or snooze in this period. null if there is none. */
  readonly silence: IncidentSilence | null;
}

/** The facts about flapping in an alert. */
export interface FlappingFacts {
  readonly outages: number;
  readonly sinceMs: number;
  /** True means that people were notified of this flapping before. */
  readonly isAgain: boolean;
}
