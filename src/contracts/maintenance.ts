/** Maintenance as it crosses processes: absolute intervals, so that workflows know no calendar. */

/** What a window is for; `all` stands alone. */
export interface MaintenanceTarget {
  readonly ids: readonly string[];
  readonly tags: readonly string[];
  /** Group keys, each with the groups nested in it. */
  readonly groups: readonly string[];
  readonly all: boolean;
}

export interface Occurrence {
  readonly fromMs: number;
  /** Itself excluded. */
  readonly toMs: number;
}

export const MAINTENANCE_MODES = ['mute', 'pause'] as const;
/** mute: checks go on and nobody hears of them. pause: nothing is sent. */
export type MaintenanceMode = (typeof MAINTENANCE_MODES)[number];

export interface MaintenanceSpan {
  readonly windowId: string;
  readonly mode: MaintenanceMode;
  readonly fromMs: number;
  /** Itself excluded. */
  readonly toMs: number;
}

/** The next spans of one monitor or scenario; a whole, never a change. */
export interface MaintenancePlan {
  /** When the windows were read; a plan older than the one in force is ignored. */
  readonly asOfMs: number;
  readonly spans: readonly MaintenanceSpan[];
}

/** Where a workflow stands in its plan. */
export interface MaintenanceState extends MaintenancePlan {
  /** The maintenance under way; null outside of any. */
  readonly current: { readonly fromMs: number; readonly mode: MaintenanceMode } | null;
  /** Edges up to here are done with. */
  readonly seenMs: number;
}
