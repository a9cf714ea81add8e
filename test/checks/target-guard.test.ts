/**
 * Tests that the guard refuses every spelling of private and special IP addresses, and allows public ones.
 *
 * Covers:
 * - domain/definitions/bad-ports
 */
import { networkInterfaces } from 'node:os';
import { createTargetGuard } from '../../src/checks/target-guard';

/** Returns spellings that URL parsers read as the same IPv4 address. */
function spellingsOfIpv4(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number) => `0x${value.toString(16)}`;
  const octal = (value: number) => `0${value.toString(8)}`;
  return [
    address,
    `${address}.`,
    String(whole),
    hex(whole),
    octal(whole),
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map(octal).join('.'),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${hex(a)}.${b}.${octal(c)}.${d}`,
    address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '%2E'),
  ];
}

/** Returns IPv6 addresses that contain this IPv4 address, in several spellings. */
function carriersOfIpv4(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const high = (a * 256 + b).toString(16);
  const low = (c * 256 + d).toString(16);
  return [
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:FFFF:${address}]`,
    `[::${high}:${low}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${high}:${low}]`,
    `[2002:${high}:${low}::]`,
    `[2002:${high}:${low}::1]`,
    `[::ffff:0:${high}:${low}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2606:4700::5efe:${high}:${low}]`,
    `[2606:4700::200:5efe:${high}:${low}]`,
  ];
}

const PRIVATE_IPV4 = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.0.9',
  '169.254.169.254',
  '168.63.129.16',
  '172.16.0.1',
  '172.31.255.254',
  '192.0.0.1',
  '192.0.2.7',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.9',
  '203.0.113.5',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];
const PRIVATE_IPV6 = [
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fd12:3456:789a::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001::1]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '[2001:2::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[4000::1]',
  '[5f00::1]',
  '[8000::1]',
  '[64:ff9b:1::1]',
];
const PRIVATE_NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost.localdomain',
  'anything.localhost',
  'metadata',
  'metadata.google.internal',
  'METADATA.GOOGLE.INTERNAL.',
  'metadata.goog',
  'instance-data',
  'vault.internal',
  'printer.local',
  'router.lan',
  'nas.home.arpa',
  'ｌｏｃａｌｈｏｓｔ',
];
const PUBLIC_HOSTS = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '192.169.0.1',
  '198.20.0.1',
  '223.255.255.254',
  '[2606:4700:4700::1111]',
  '[2a00:1450:4001:81b::200e]',
  '[2001:4860:4860::8888]',
  '[::ffff:8.8.8.8]',
  '[64:ff9b::8.8.8.8]',
  '[2002:808:808::1]',
  'example.com',
  'internal.example.com',
  'localhost.example.com',
  'local.example',
  'metadata.example.com',
];

const refusedHosts = [
  ...PRIVATE_IPV4.flatMap((address) => [...spellingsOfIpv4(address), ...carriersOfIpv4(address)]),
  ...PRIVATE_IPV6,
  ...PRIVATE_NAMES,
];

describe('the guard without allowed ranges', () => {
  const guard = createTargetGuard({ allowedPrivateTargets: [] });

  it('the guard without allowed ranges is tested with more than 500 spellings of private addresses', () => {
    expect(new Set(refusedHosts).size).toBeGreaterThan(500);
  });

  it('the guard without allowed ranges says who can allow a private target, but names no setting', () => {
    const refusal = guard.checkUrl('http://10.0.0.1/');
    expect(refusal).toContain('Ask its operator');
    expect(refusal).not.toMatch(/[A-Z]_[A-Z]/);
  });

  it.each([
    ['http://10.0.0.1/', 'Allow it: start with `KEEPWATCH_ALLOWED_PRIVATE_TARGETS=10.0.0.1/32`.'],
    ['http://[fd00::1]/', 'Allow it: start with `KEEPWATCH_ALLOWED_PRIVATE_TARGETS=fd00::1/128`.'],
    [
      'http://localhost:8080/',
      'Allow it: start with `KEEPWATCH_ALLOWED_PRIVATE_TARGETS=127.0.0.1/32#8080`.',
    ],
    [
      'https://127.1/',
      'Allow it: start with `KEEPWATCH_ALLOWED_PRIVATE_TARGETS=127.0.0.1/32#443`.',
    ],
  ])('the refusal of the URL %s says how an operator can allow the target', (url, how) => {
    expect(guard.adviseOnUrl(url)).toContain(how);
    const [, range = ''] = /=([^`]+)`/.exec(guard.adviseOnUrl(url) ?? '') ?? [];
    expect(createTargetGuard({ allowedPrivateTargets: [range] }).checkUrl(url)).toBeNull();
  });

  it('the guard without allowed ranges suggests only settings that can allow the target', () => {
    const rules = { allowedPrivateTargets: ['10.1.0.0/16'], deniedTargets: ['10.2.0.0/16'] };
    const strict = createTargetGuard({ ...rules, ownPorts: [7233] });
    const names = 'http://metadata.google.internal/';
    for (const url of ['http://10.2.0.1/', 'http://localhost:7233/', names])
      expect(strict.adviseOnUrl(url)).toBe(strict.checkUrl(url));
    const advice = strict.adviseOnUrl('http://10.3.0.1/');
    expect(advice).toContain('Allow it: add `10.3.0.1/32` to KEEPWATCH_ALLOWED_PRIVATE_TARGETS.');
    expect(advice).not.toContain('10.1.0.0');
    expect(strict.adviseOnUrl('https://example.com/')).toBeNull();
  });

  it.each(['http', 'https'])(
    'the guard without allowed ranges refuses every spelling of a private address over %s',
    (scheme) => {
      const open = refusedHosts.filter((host) => guard.checkUrl(`${scheme}://${host}/`) === null);
      expect(open).toEqual([]);
    },
  );

  it('the guard without allowed ranges refuses private addresses also with a port or a user name in the URL', () => {
    const open = refusedHosts.filter(
      (host) => guard.checkUrl(`http://example.com@${host}:8080/x?y#z`) === null,
    );
    expect(open).toEqual([]);
  });

  it.each(PUBLIC_HOSTS)('the guard without allowed ranges allows %s', (host) => {
    expect(guard.checkUrl(`https://${host}/`)).toBeNull();
  });

  it.each([
    'file:///etc/passwd',
    'ftp://example.com',
    'javascript:alert(1)',
    'data:,x',
    'gopher://x',
  ])(
    'the guard without allowed ranges refuses %s, because its scheme is not http or https',
    (url) => {
      expect(guard.checkUrl(url)).toMatch(/Only http and https/);
    },
  );

  it('the guard without allowed ranges refuses text that is not an IP address', () => {
    expect(guard.checkUrl('http://')).not.toBeNull();
    expect(guard.checkUrl('nonsense')).not.toBeNull();
    expect(guard.checkAddress('not an address', 80)).not.toBeNull();
    expect(guard.checkAddress('fe80::1%eth0', 80)).not.toBeNull();
  });

  it('the guard without allowed ranges never reveals the IP address in its problem', () => {
    const problems = ['http://10.1.2.3/', 'http://vault.internal/'].map(guard.checkUrl);
    expect(problems.join(' ')).not.toMatch(/10\.1|vault/);
  });
});

describe('the guard with allowed ranges', () => {
  it('the guard with allowed ranges allows exactly the named IP addresses and ports', () => {
    const guard = createTargetGuard({
      allowedPrivateTargets: ['10.1.0.0/16', '127.0.0.1#8080', 'fd00::/8#8000-8999'],
    });
    expect(guard.checkUrl('http://10.1.2.3:99/')).toBeNull();
    expect(guard.checkUrl('http://10.2.0.1/')).not.toBeNull();
    expect(guard.checkUrl('http://127.0.0.1:8080/')).toBeNull();
    expect(guard.checkUrl('http://127.0.0.1:8081/')).not.toBeNull();
    expect(guard.checkUrl('http://127.0.0.2:8080/')).not.toBeNull();
    expect(guard.checkUrl('http://[fd12::1]:8500/')).toBeNull();
    expect(guard.checkUrl('http://[fd12::1]:9000/')).not.toBeNull();
  });

  it('the guard with allowed ranges recognises IPv6 spellings of an allowed IPv4 address', () => {
    const guard = createTargetGuard({ allowedPrivateTargets: ['10.1.0.0/16'] });
    expect(guard.checkUrl('http://[::ffff:10.1.2.3]/')).toBeNull();
    expect(guard.checkUrl('http://[::ffff:10.2.2.3]/')).not.toBeNull();
  });

  it('the guard with allowed ranges allows localhost if either of its IP addresses is allowed', () => {
    expect(
      createTargetGuard({ allowedPrivateTargets: ['127.0.0.0/8'] }).checkUrl('http://localhost/'),
    ).toBeNull();
    expect(
      createTargetGuard({ allowedPrivateTargets: ['::1/128'] }).checkUrl('http://localhost/'),
    ).toBeNull();
    expect(
      createTargetGuard({ allowedPrivateTargets: ['10.0.0.0/8'] }).checkUrl('http://localhost/'),
    ).not.toBeNull();
  });

  it('the guard with allowed ranges judges host names by their IP addresses, even private-looking names', () => {
    const guard = createTargetGuard({ allowedPrivateTargets: ['10.0.0.0/8'] });
    expect(guard.checkUrl('http://billing.internal/')).toBeNull();
    expect(guard.checkUrl('http://metadata.google.internal/')).not.toBeNull();
  });

  it('the guard with allowed ranges refuses an invalid range at once', () => {
    expect(() => createTargetGuard({ allowedPrivateTargets: ['10.0.0.0/33'] })).toThrow(RangeError);
    expect(() => createTargetGuard({ allowedPrivateTargets: ['10.0.0/8'] })).not.toThrow();
    expect(() => createTargetGuard({ allowedPrivateTargets: ['ten'] })).toThrow();
  });
});

describe('the guard with every range allowed', () => {
  const everything = ['127.0.0.0/8', '10.0.0.0/8', '::1/128', 'fd00::/8'];

  it('the guard refuses a target that the operator denied, in any spelling', () => {
    const guard = createTargetGuard({
      allowedPrivateTargets: everything,
      deniedTargets: ['10.9.0.0/16', '127.0.0.1#8080-8089', '93.184.216.0/24'],
    });
    for (const url of [
      'http://10.9.1.1/',
      'http://[::ffff:10.9.1.1]/',
      'http://127.0.0.1:8085/',
      'http://0x7f.1:8080/',
      'https://93.184.216.34/',
    ]) {
      expect([url, guard.checkUrl(url)]).toEqual([url, expect.any(String)]);
    }
    expect(guard.checkUrl('http://10.8.1.1/')).toBeNull();
    expect(guard.checkUrl('http://127.0.0.1:8090/')).toBeNull();
  });

  it('the guard refuses ports of this installation, but only on IP addresses of this machine', () => {
    const guard = createTargetGuard({ allowedPrivateTargets: everything, ownPorts: [3000, 7233] });
    const interfaces = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const own = ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1', '0.0.0.0'];
    for (const ip of [...own, ...interfaces.map(({ address }) => address)]) {
      expect([ip, guard.checkAddress(ip, 3000)]).toEqual([ip, expect.any(String)]);
    }
    expect(guard.checkUrl('http://localhost:7233/')).not.toBeNull();
    expect(guard.checkAddress('10.255.255.254', 3000)).toBeNull();
    expect(guard.checkAddress('127.0.0.1', 3001)).toBeNull();
  });

  it.each([1, 22, 25, 587, 6000, 10_080])(
    'the guard refuses port %s, which belongs to another protocol',
    (port) => {
      const guard = createTargetGuard({ allowedPrivateTargets: everything });
      expect(guard.checkUrl(`http://example.com:${port}/`)).toContain(`Port ${port}`);
      expect(guard.checkUrl(`https://127.0.0.1:${port}/`)).toContain(`Port ${port}`);
    },
  );

  it('the guard refuses a URL without a host', () => {
    const guard = createTargetGuard({ allowedPrivateTargets: [] });
    for (const url of ['http:///example.com/', 'https://///example.com'])
      expect(guard.checkUrl(url)).toContain('no host');
  });
});
