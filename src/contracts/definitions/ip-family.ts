/** The IP version with which a request reaches its target, which is a part of every definition. */

export const IP_FAMILIES = ['any', '4', '6'] as const;
export type IpFamily = (typeof IP_FAMILIES)[number];

export interface WithIpFamily {
  /** The IP version. If absent in a step, the setting of its scenario is used, or any version. */
  readonly ipFamily?: IpFamily | undefined;
}
