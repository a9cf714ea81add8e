/**
 * Tests histories in which probes, database and API fail and return. Every slot of a region is stored or named exactly
 * once.
 */
import type { MonitorCheckRecord } from '../../../src/contracts/records';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { createRandom } from '../../support/random';
import { testSeed } from '../../support/test-seed';
import { testSize } from '../../support/test-size';
import { accountForLife } from '../simulation/account-for-life';
import { liveThrough } from '../simulation/live-through';
import { startVirtualService } from '../virtual-service';

const LIVES = testSize('slot_lives', { ci: 3, long: 60 });
const SEED = testSeed(31);
const SLOTS = 40;
const MINUTE = 60_000;
const REGIONS = ['eu-west', 'us-east'];

/**
 * Returns the slots that are neither stored nor named, up to the second-last slot. Results of the last slot may not
 * have arrived yet.
 */
function lostSlots(records: readonly MonitorCheckRecord[]): readonly string[] {
  const named = records.flatMap(({ gap, unconfirmed }) => [gap, unconfirmed ?? null]);
  const isNamed = (ms: number) =>
    named.some((one) => one !== null && one.fromSlotMs <= ms && ms <= one.toSlotMs);
  const isStored = (ms: number, region: string) =>
    records.some((one) => one.slotMs === ms && one.outcomes.some((seen) => seen.region === region));
  const slots = records.map(({ slotMs }) => slotMs);
  const lost: string[] = [];
  for (let ms = Math.min(...slots); ms < Math.max(...slots); ms += MINUTE)
    for (const region of REGIONS)
      if (!isNamed(ms) && !isStored(ms, region)) lost.push(`${region} ${ms}`);
  return lost;
}

test('every slot of every region is stored or recorded as missed, even during outages of any part', async () => {
  const service = await startVirtualService(REGIONS);
  for (let count = 0; count < LIVES; count += 1) {
    const seed = SEED + count;
    const random = createRandom(seed);
    const id = `mon_slots_${count}`;
    let config = monitorConfig(id, { anchorMs: service.nowMs(), regions: REGIONS });
    const down = new Set<string>();
    service.answer(id, ({ region, slotMs }) => {
      // In some slots, only one region is down.
      const isDown = down.has(region) || (slotMs / MINUTE + REGIONS.indexOf(region)) % 17 === 0;
      return outcomeOf(isDown ? 'down' : 'up');
    });
    await service.gateway.configureMonitor(config);
    for (let index = 0; index < SLOTS; index += 1) {
      const chance = random();
      const region = REGIONS[random() < 0.5 ? 0 : 1] ?? '';
      if (chance < 0.1) down.add(region);
      else if (chance < 0.25) down.delete(region);
      else if (chance < 0.35) service.ledger.isAway = true;
      else if (chance < 0.6) service.ledger.isAway = false;
      else if (chance < 0.65 && !service.ledger.isAway)
        await service.withoutProbes(() => service.pass(random() * 3 * MINUTE));
      else if (chance < 0.75) {
        config = { ...config, version: config.version + 1, name: `Name ${index}` };
        await service.gateway.configureMonitor(config);
      }
      await service.pass(random() * 2 * MINUTE);
    }
    service.ledger.isAway = false;
    await service.pass(15 * MINUTE);
    const lost = lostSlots(service.ledger.checks.filter(({ monitorId }) => monitorId === id));
    expect({ seed, lost }).toEqual({ seed, lost: [] });
    await service.gateway.removeMonitor(id);
  }
  await service.stop();
});

test('slots that a probe dropped while the database was away are recorded as missed once', async () => {
  const fromMs = Date.UTC(2027, 0, 5);
  const minute = (count: number): number => fromMs + count * MINUTE;
  const rules = { id: 'mon_away', intervalSeconds: 120 };
  const simulated = { rules, createdAtMs: minute(1), spells: [], spans: [] };
  const where = { region: 'eu-west', monitorId: rules.id };
  const lived = await liveThrough({
    seed: 0,
    fromMs,
    toMs: minute(90),
    monitors: [simulated],
    troubles: [
      // The outage is longer than the time for which a probe stores its results.
      { kind: 'database away', fromMs: minute(20), toMs: minute(36), ...where },
      { kind: 'continues as new', fromMs: minute(34), toMs: minute(34), ...where },
    ],
  });
  const { slots, problems } = accountForLife(lived);
  expect(problems).toEqual([]);
  // In the first minutes of the outage, both regions missed their slots.
  expect(slots.missed).toEqual({ missed: 6 });
});
