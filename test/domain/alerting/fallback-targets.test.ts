/** Tests fallback channels. Chains end, even if channels name each other. */
import type { AlertTarget } from '../../../src/contracts/alerts';
import {
  listDirectTargets,
  listFallbackChain,
  listFallbackTargets,
} from '../../../src/domain/alerting/fallback-targets';

const target = (key: string, fallback: string | null, more: Partial<AlertTarget> = {}) => ({
  key: `${key}:0`,
  type: 'slack',
  channelId: key,
  masked: key,
  sealed: '',
  ...(fallback !== null && { fallback: { channelId: fallback, afterMinutes: 15 } }),
  ...more,
});
const standby = { isStandby: true };
const keysOf = (targets: readonly AlertTarget[]) => targets.map(({ key }) => key);

test('a fallback notifies all recipients of its channel', () => {
  const two = [target('b', null, standby), target('b', null, { ...standby, key: 'b:1' })];
  const all = [target('a', 'b'), ...two];
  expect(keysOf(listDirectTargets(all))).toEqual(['a:0']);
  expect(keysOf(listFallbackTargets(target('a', 'b'), all))).toEqual(['b:0', 'b:1']);
  expect(listFallbackTargets(target('c', null), all)).toEqual([]);
});

test('a fallback chain lists each target once, as a standby, even if channels form a cycle', () => {
  const all = [target('a', 'b'), target('b', 'c'), target('c', 'a')];
  const chain = listFallbackChain(target('a', 'b'), all);
  expect(keysOf(chain)).toEqual(['b:0', 'c:0']);
  expect(chain.every(({ isStandby }) => isStandby === true)).toBe(true);
  expect(listFallbackChain(target('gone', 'nowhere'), all)).toEqual([]);
});
