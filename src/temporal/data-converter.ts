/** Encrypts everything that clients and workers write to the Temporal server. */
import { join } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import type { RegionKeyrings } from '../platform/region-keyrings';
import { createPayloadCodec, createRegionCodec, type RegionRing } from './payload-codec';

/** The workflow bundle needs this path, too. */
export const FAILURE_CONVERTER_PATH = join(__dirname, 'failure-converter');

export function createDataConverter(
  secretKeys: readonly string[],
  namespace: string,
  rings?: RegionKeyrings,
): DataConverter {
  return {
    payloadCodecs: [createPayloadCodec(secretKeys, namespace, rings)],
    failureConverterPath: FAILURE_CONVERTER_PATH,
  };
}

/** For a probe, which can decrypt only payloads for its region. */
export function createRegionDataConverter(ring: RegionRing, namespace: string): DataConverter {
  return {
    payloadCodecs: [createRegionCodec(ring, namespace)],
    failureConverterPath: FAILURE_CONVERTER_PATH,
  };
}
