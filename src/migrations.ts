import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS, ROOT } from './paths.ts'

/**
 * Makes a migration from a change of the schema (`npm run migrations`, with the options of `drizzle-kit generate`), and deletes the
 * snapshots of earlier ones: drizzle-kit compares the schema with the newest alone. With `--check` it writes nothing, and fails if there
 * are other snapshots.
 */
const META = join(MIGRATIONS, 'meta')

/** The name of the snapshot of the newest migration. */
function findNewestSnapshot(): string {
  const { entries } = JSON.parse(readFileSync(join(META, '_journal.json'), 'utf8')) as { entries: { idx: number }[] }
  return `${String(Math.max(...entries.map(({ idx }) => idx))).padStart(4, '0')}_snapshot.json`
}

const options = process.argv.slice(2)
const isCheck = options[0] === '--check'
if (!isCheck) {
  const { status, error } = spawnSync('drizzle-kit', ['generate', ...options], { cwd: ROOT, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
const newest = findNewestSnapshot()
const snapshots = readdirSync(META).filter((name) => name.endsWith('_snapshot.json'))
const outdated = snapshots.filter((name) => name !== newest)
if (!snapshots.includes(newest)) {
  console.error(`migrations/meta/${newest} is missing: the next migration would create all tables`)
  process.exit(1)
}
if (isCheck && outdated.length > 0) {
  console.error(`migrations/meta needs ${newest} only: delete the other snapshots, of which there are ${outdated.length}`)
  process.exit(1)
}
for (const name of outdated) rmSync(join(META, name))
