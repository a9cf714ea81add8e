/** What goes wrong with the service itself, and what the database keeps of it until it was told. */

export const OPERATOR_EVENT_KINDS = ['region_offline', 'network_suspect', 'service_blind'] as const;
export type OperatorEventKind = (typeof OPERATOR_EVENT_KINDS)[number];

export interface OperatorEventRow {
  /** `<kind>:<subject>`; there is one of each at a time. */
  readonly id: string;
  readonly kind: OperatorEventKind;
  /** A region, or nothing for the service as a whole. */
  readonly subject: string;
  readonly sinceMs: number;
  /** Looks in a row that found it so. */
  readonly notices: number;
  readonly noticedAtMs: number;
  /** null: it goes on. */
  readonly endedAtMs: number | null;
  /** That it began stands in the log; its end is told only then. */
  readonly isLogged: boolean;
  /** That it began was told by mail, where there is a way to. */
  readonly isMailed: boolean;
  readonly isEndLogged: boolean;
}

/** Of the whole service; it belongs to no account. */
export interface OperatorEventStore {
  readonly list: () => Promise<readonly OperatorEventRow[]>;
  readonly save: (event: OperatorEventRow) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}
