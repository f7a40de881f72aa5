import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * The rooms of the kit, from the ground up. Each imports only itself and the rooms before it, types included; `npm run check` runs
 * this file and fails otherwise. What each is for: docs/codemap.md.
 */
const ROOMS = ['values', 'request', 'sql', 'services', 'definition', 'reading', 'writing', 'http']

/** What the kit may know of the rest of the house: how the process was configured, and the driver of the database. */
const BELOW = ['config.ts', 'database/own-connection.ts', 'database/text-query.ts']

const src = import.meta.dirname
const problems: string[] = []

for (const entry of readdirSync(join(src, 'kit')))
  if (!ROOMS.includes(entry)) problems.push(`src/kit/${entry} is no room of the kit: name it in src/rooms.ts`)

for (const file of globSync('kit/**/*.ts', { cwd: src })) {
  const room = ROOMS.indexOf(file.split('/')[1] as string)
  for (const [, path = ''] of readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
    const imported = relative(src, join(src, dirname(file), path))
    const other = imported.startsWith('kit/') ? ROOMS.indexOf(imported.split('/')[1] as string) : undefined
    if (other === undefined ? !BELOW.some((start) => imported.startsWith(start)) && !file.endsWith('.test.ts') : other > room)
      problems.push(`src/${file} imports src/${imported}, which lies above it`)
  }
}

if (problems.length) {
  console.error(problems.join('\n'))
  process.exit(1)
}
