import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from 'tar'
import { loadConfig } from '../config.ts'
import { withRunningDatabase } from '../database/with-database.ts'
import { runDemo } from '../demo-command.ts'
import { getMediaFolder, MediaFolder } from '../kit/services/files.ts'
import { OperatorError } from '../operator-error.ts'
import { ROOT } from '../paths.ts'
import { makeBackup } from './backup.ts'

// Writes a dump for upgrade.test.ts to `upgrades/`, named by its last migration: of the demo workshop of this version (`npm run upgrade-dump`),
// or of the data folder of an older version, which is not changed (`npm run upgrade-dump -- DATA_DIR`).

/** Fixed, so that the same data gives the same archive. */
const TIME = new Date('2026-01-01T00:00:00Z')

async function writeDump(dataDir: string): Promise<string> {
  const config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  const parentFolder = mkdtempSync(join(tmpdir(), 'stockroom-dump-'))
  try {
    const files = new MediaFolder(getMediaFolder(config))
    const backup = await withRunningDatabase(config, (pool) => makeBackup(pool, { parentFolder, files, minFreeBytes: 0 }), 'keep')
    if (!backup) throw new OperatorError('another backup of this database is in progress')
    const target = join(ROOT, 'upgrades')
    await mkdir(target, { recursive: true })
    const path = join(target, `${backup.manifest.migrations.at(-1)?.tag}.tar.gz`)
    await create({ file: path, cwd: backup.folder, gzip: { level: 9 }, portable: true, mtime: TIME }, ['.'])
    return path
  } finally {
    rmSync(parentFolder, { recursive: true })
  }
}

const [dataDir] = process.argv.slice(2)
const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'stockroom-demo-'))
try {
  if (dataDir === undefined) await runDemo(loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'warn' }))
  console.log(await writeDump(folder))
} finally {
  if (dataDir === undefined) rmSync(folder, { recursive: true })
}
