import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** A data folder for plugins, which is gone after the file of tests. Made before the service, that it is given to as DATA_DIR. */
export function pluginFolder() {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'stockroom-plugins-')))
  after(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 }))
  return {
    dataDir,
    /** Puts a plugin there, or changes it. `members` are further lines of its definition. */
    write(slug: string, members: string): void {
      const folder = join(dataDir, 'plugins', slug)
      mkdirSync(folder, { recursive: true })
      writeFileSync(
        join(folder, 'index.ts'),
        `import { definePlugin } from '@stockroom-inventory/plugin'
         export default definePlugin({ slug: '${slug}', name: 'Plugin ${slug}', version: '1.0.0', ${members} })`,
      )
    },
  }
}
