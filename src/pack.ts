import { randomUUID } from 'node:crypto'
import { cp, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { bundleConsole } from './console-bundle/bundled.ts'
import { bundleDocs, getDocsFolder } from './docs-bundle/bundled.ts'
import { PACKED, PACKED_LICENSES, ROOT } from './paths.ts'
import { listInstalledPackages } from './resources/license/installed.ts'
import { bundleServer } from './server-bundle/bundled.js'

// Puts what `npm pack` takes into `dist/packed`: the bundles of the current sources, under names without a hash, as an installed package
// has no sources to compute it from; and the licenses of the packages in them.

const draft = `${PACKED}.new-${randomUUID()}`
try {
  await cp(bundleServer(), join(draft, 'server'), { recursive: true })
  await cp(await bundleConsole(), join(draft, 'console'), { recursive: true })
  await bundleDocs()
  await cp(getDocsFolder(), join(draft, 'docs'), { recursive: true })
  await writeFile(join(draft, basename(PACKED_LICENSES)), JSON.stringify(await listInstalledPackages(ROOT)))
  await rm(PACKED, { recursive: true, force: true })
  await rename(draft, PACKED)
} finally {
  await rm(draft, { recursive: true, force: true })
}
