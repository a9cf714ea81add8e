/** Ids of the activities of probes. Each id contains the region whose keys encrypt the payloads of the activity. */

/** @param unique Hexadecimal digits, of which the first eight are used. */
export function probeActivityId(region: string, unique: string): string {
  return `${region}:${unique.slice(0, 8)}`;
}

/** Returns the region. null means that no probe serves the activity. */
export function readActivityRegion(activityId: string): string | null {
  const colon = activityId.indexOf(':');
  return colon === -1 ? null : activityId.slice(0, colon);
}
