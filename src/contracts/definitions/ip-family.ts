/** The IP version with which a request reaches its target: a part of every definition. */

export const IP_FAMILIES = ['any', '4', '6'] as const;
export type IpFamily = (typeof IP_FAMILIES)[number];

export interface WithIpFamily {
  /** Absent in a step: it uses the setting of its scenario, or any version. */
  readonly ipFamily?: IpFamily | undefined;
}
