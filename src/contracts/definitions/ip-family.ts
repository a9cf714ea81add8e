/** The IP version by which a request reaches its target: a part of every definition. */

export const IP_FAMILIES = ['any', '4', '6'] as const;
export type IpFamily = (typeof IP_FAMILIES)[number];

export interface WithIpFamily {
  /** Absent in stored definitions that specify none: a step then uses its scenario's, or else any. */
  readonly ipFamily?: IpFamily | undefined;
}
