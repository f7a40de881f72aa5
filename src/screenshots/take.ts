import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../paths.ts'
import { Camera } from './camera.ts'
import { scenes } from './scenes.ts'
import { storePicture } from './store.ts'
import { startWorkshop } from './workshop.ts'

// Takes the pictures of the documentation: all (`npm run pictures`), or those that are named (`npm run pictures -- home part`). With
// `--check` it writes none, and fails if one differs.

/** The time on every clock: a working day on which the demo is in the middle of its orders. */
const TIME = '2026-05-12T13:20:00.000Z'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false }, folder: { type: 'string', default: join(ROOT, 'docs/images') } },
})
const unknown = positionals.filter((name) => !(name in scenes))
if (unknown.length > 0) {
  console.error(`no picture ${unknown.join(', ')}: there are ${Object.keys(scenes).join(', ')}`)
  process.exit(1)
}
mkdirSync(values.folder, { recursive: true })
const workshop = await startWorkshop(TIME)
const camera = new Camera(workshop, TIME)
try {
  for (const [name, scene] of Object.entries(scenes)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const picture = await camera.take(scene).catch((error) => {
      throw new Error(`${name}.png could not be taken`, { cause: error })
    })
    const outcome = await storePicture(join(values.folder, `${name}.png`), picture, { writes: !values.check })
    console.log(`${name}.png ${outcome}`)
    if (values.check && outcome !== 'unchanged') process.exitCode = 1
  }
} finally {
  await camera.stop()
  await workshop.stop()
}
