#!/usr/bin/env node
// Counts the recorded requests whose response differs from the recorded one, and fails if too many do: more than one and more than 1 % in an
// area, or more than 0.5 % in total. Intended differences (docs/differences.json) do not count.
//
//   node .ci/floors.mjs VERDICTS...     output of `replay.mjs --json`
import { readFileSync } from 'node:fs'

/** Recorded requests per area, and how many of their responses differ. */
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
