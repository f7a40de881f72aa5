import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** Creates a data folder for plugins, which is deleted after the test file. Must be created before the service that receives it as DATA_DIR. */
export function createPluginFolder() {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'stockroom-plugins-')))
  after(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 }))
  return {
    dataDir,
    /** Writes a plugin to the folder, or changes it. `members` are further lines of its definition. */
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
