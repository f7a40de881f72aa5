#!/usr/bin/env node
// Counts the recorded exchanges whose response is the same as recorded, and fails if too many differ: in an area, more than one and more than
// one in a hundred; in total, more than one in two hundred. Intended differences (docs/differences.json) count as recorded.
//
//   node .ci/floors.mjs VERDICTS...     output of `replay.mjs --json`
import { readFileSync } from 'node:fs'

/** Exchanges per area, and the number of them that differ. */
const areas = new Map()
const verdicts = process.argv.slice(2).flatMap((file) => JSON.parse(readFileSync(file, 'utf8')))
for (const { area, ok, why } of verdicts) {
  const counted = areas.get(area) ?? { exchanges: 0, differ: 0, isTooMany: false }
  areas.set(area, counted)
  counted.exchanges++
  if (!ok && !why) counted.differ++
  counted.isTooMany = counted.differ > Math.max(1, counted.exchanges / 100)
}
const differ = [...areas.values()].reduce((sum, area) => sum + area.differ, 0)
console.table(Object.fromEntries([...areas].sort(([one], [other]) => one.localeCompare(other))))
console.log(`${verdicts.length - differ} of ${verdicts.length} as recorded`)
const isTooMany = verdicts.length === 0 || differ > verdicts.length / 200 || [...areas.values()].some((area) => area.isTooMany)
process.exitCode = isTooMany ? 1 : 0
