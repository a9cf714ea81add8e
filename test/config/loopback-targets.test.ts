/** Tests that `npm start` allows this machine as a target only while no other machine can reach the service. */
import { createTargetGuard } from '../../src/checks/target-guard';
import { listLoopbackTargets } from '../../src/config/loopback-targets';

const LOCAL = { HOST: '127.0.0.1', KEEPWATCH_PUBLIC_URL: 'http://localhost:3000' };

test.each([
  [LOCAL, true],
  [{ HOST: '::1', KEEPWATCH_PUBLIC_URL: 'http://[::1]:3000' }, true],
  [{ HOST: 'localhost', KEEPWATCH_PUBLIC_URL: 'http://127.0.0.1:3000' }, true],
  [{ ...LOCAL, HOST: '0.0.0.0' }, false],
  [{ ...LOCAL, HOST: '::' }, false],
  [{ ...LOCAL, HOST: '192.168.1.2' }, false],
  [{ ...LOCAL, KEEPWATCH_PUBLIC_URL: 'https://status.example.com' }, false],
])('the allowed targets %j include loopback: %j', (settings, isOpen) => {
  expect(listLoopbackTargets(settings).length > 0).toBe(isOpen);
});

test('npm start allows loopback as the only private target, except for ports of the installation and ephemeral ports', () => {
  const guard = createTargetGuard({
    allowedPrivateTargets: listLoopbackTargets(LOCAL),
    ownPorts: [7233],
  });
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    expect(guard.checkUrl(`http://${host}:8080/`)).toBeNull();
    expect(guard.checkUrl(`http://${host}:7233/`)).toContain('blocked');
    expect(guard.checkUrl(`http://${host}:45067/`)).toContain('blocked');
  }
  expect(guard.checkUrl('http://10.0.0.1/')).toContain('blocked');
  expect(guard.checkUrl('http://169.254.169.254/')).toContain('blocked');
});
