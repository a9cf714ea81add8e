/** Random lives in which probes, database and API come and go: no slot of a region is left without a name. */
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { createRandom } from '../../support/random';
import { testSeed } from '../../support/test-seed';
import { testSize } from '../../support/test-size';
import { startVirtualService } from '../virtual-service';

const LIVES = testSize('slot_lives', { ci: 3, long: 60 });
const SEED = testSeed(31);
const SLOTS = 40;
const MINUTE = 60_000;
const REGIONS = ['eu-west', 'us-east'];

test('every slot of every region is stored or named, whatever is away', async () => {
  const service = await startVirtualService(REGIONS);
  for (let count = 0; count < LIVES; count += 1) {
    const seed = SEED + count;
    const random = createRandom(seed);
    const id = `mon_slots_${count}`;
    let config = monitorConfig(id, { anchorMs: service.nowMs(), regions: REGIONS });
    const slotAt = (index: number): number => config.anchorMs + index * MINUTE;
    const down = new Set<string>();
    service.answer(id, ({ region, slotMs }) => {
      // Some slots differ in one region only.
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
    const own = service.ledger.checks.filter(({ monitorId }) => monitorId === id);
    const lastMs = Math.max(...own.map(({ slotMs }) => slotMs)) - MINUTE;
    const named = own.flatMap(({ gap, unconfirmed }) =>
      [gap, unconfirmed].flatMap((one) => one ?? []),
    );
    const lost: string[] = [];
    for (let index = 0; slotAt(index) <= lastMs; index += 1) {
      const ms = slotAt(index);
      if (named.some(({ fromSlotMs, toSlotMs }) => fromSlotMs <= ms && ms <= toSlotMs)) continue;
      const stored = own.filter(({ slotMs }) => slotMs === ms);
      for (const region of REGIONS)
        if (!stored.some(({ outcomes }) => outcomes.some((one) => one.region === region)))
          lost.push(`${region} ${index}`);
    }
    expect({ seed, lost }).toEqual({ seed, lost: [] });
    await service.gateway.removeMonitor(id);
  }
  await service.stop();
});
