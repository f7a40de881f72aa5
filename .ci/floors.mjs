#!/usr/bin/env node
// Counts the recorded requests whose response differs from the recorded one, and fails if too many do. Intended differences
// (docs/differences.json) do not count.
//
//   node .ci/floors.mjs VERSION VERDICTS...             output of `replay.mjs --json`
//   node .ci/floors.mjs VERSION --write VERDICTS...     stores the shares of floors-530.json
//
// API 196: more than one and more than 1 % in an area, or more than 0.5 % in total, are too many. API 530, which is not complete: the share of
// an area may be up to 3 percentage points below that in floors-530.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const TOLERANCE = 0.03
const FLOORS_FILE = join(import.meta.dirname, 'floors-530.json')

const [version, ...rest] = process.argv.slice(2)
const isWrite = rest[0] === '--write'
const files = isWrite ? rest.slice(1) : rest
const floors = version === '530' && existsSync(FLOORS_FILE) ? JSON.parse(readFileSync(FLOORS_FILE, 'utf8')) : {}

/** Whether too many responses of an area differ. */
function isBelowFloor(area, { exchanges, differ }) {
  if (version === '196') return differ > Math.max(1, exchanges / 100)
  return 1 - differ / exchanges < (floors[area] ?? 0) - TOLERANCE
}

/** Recorded requests per area, and how many of their responses differ. */
const areas = new Map()
const verdicts = files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')))
for (const { area, ok, why } of verdicts) {
  const counted = areas.get(area) ?? { exchanges: 0, differ: 0, isTooMany: false }
  areas.set(area, counted)
  counted.exchanges++
  if (!ok && !why) counted.differ++
}
for (const [area, counted] of areas) counted.isTooMany = isBelowFloor(area, counted)
const sorted = [...areas].sort(([one], [other]) => one.localeCompare(other))
const differ = sorted.reduce((sum, [, area]) => sum + area.differ, 0)
console.table(Object.fromEntries(sorted))
console.log(`API ${version}: ${verdicts.length - differ} of ${verdicts.length} as recorded`)
if (isWrite) {
  const shares = sorted.map(([area, { exchanges, differ }]) => [area, Number((1 - differ / exchanges).toFixed(3))])
  writeFileSync(FLOORS_FILE, `${JSON.stringify(Object.fromEntries(shares), null, 2)}\n`)
}
const isTooManyInTotal = version === '196' && differ > verdicts.length / 200
const isTooMany = verdicts.length === 0 || isTooManyInTotal || [...areas.values()].some((area) => area.isTooMany)
process.exitCode = isTooMany ? 1 : 0
