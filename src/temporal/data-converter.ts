/** Encrypts everything that clients and workers write to the Temporal server. */
import { join } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import type { RegionKeyrings } from '../platform/region-keyrings';
import { createPayloadCodec, createRegionCodec, type RegionKeys } from './payload-codec';

/** The path of the failure converter. It is exported because the workflow bundle needs it, too. */
export const FAILURE_CONVERTER_PATH = join(__dirname, 'failure-converter');

export function createDataConverter(
  secretKeys: readonly string[],
  namespace: string,
  keyrings?: RegionKeyrings,
): DataConverter {
  return {
    payloadCodecs: [createPayloadCodec(secretKeys, namespace, keyrings)],
    failureConverterPath: FAILURE_CONVERTER_PATH,
  };
}

/** Creates a converter for a probe, which can decrypt only payloads for its own region. */
export function createRegionDataConverter(
  regionKeys: RegionKeys,
  namespace: string,
): DataConverter {
  return {
    payloadCodecs: [createRegionCodec(regionKeys, namespace)],
    failureConverterPath: FAILURE_CONVERTER_PATH,
  };
}
