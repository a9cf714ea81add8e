/** By which IP version a request reaches its target: a part of every definition. */

export const IP_FAMILIES = ['any', '4', '6'] as const;
export type IpFamily = (typeof IP_FAMILIES)[number];

export interface WithIpFamily {
  /** Absent in what is stored where nothing is said: a step has that of its scenario, if any; else any. */
  readonly ipFamily?: IpFamily | undefined;
}
