/** Tests that the panels of the operators' dashboard do not overlap. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const PLACE = z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() });
const DASHBOARD = z.object({
  panels: z.array(z.object({ title: z.string(), gridPos: PLACE })),
});
const FILE = path.join(__dirname, '../../ops/grafana-dashboard.json');
const COLUMNS = 24;

type Place = z.output<typeof PLACE>;

function areOverlapping(a: Place, b: Place): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

test('panels of the Grafana dashboard do not overlap, and stay inside the grid', () => {
  const { panels } = DASHBOARD.parse(JSON.parse(readFileSync(FILE, 'utf8')));
  const overlaps = panels.flatMap((panel, index) =>
    panels
      .slice(index + 1)
      .filter((other) => areOverlapping(panel.gridPos, other.gridPos))
      .map((other) => `${panel.title} and ${other.title}`),
  );
  expect(overlaps).toEqual([]);
  expect(panels.filter(({ gridPos }) => gridPos.x + gridPos.w > COLUMNS)).toEqual([]);
});
