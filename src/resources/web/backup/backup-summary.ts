import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { type Backup, listBackups } from '../../background-task/backups.ts'
import { MANIFEST, type Manifest } from './manifest.ts'

/** Maximum number of backups in the list, the newest of all. */
const MAX_LISTED_BACKUPS = 200

/** The contents of a backup in numbers; undefined if its manifest cannot be read. A backup never changes. */
type Contents = Pick<Manifest, 'version'> & { rows: number; files: number; missing: number; size: number }
const contentsByFolder = new LRUCache<string, Contents>({ max: MAX_LISTED_BACKUPS })

async function readContents(folder: string): Promise<Contents | undefined> {
  const cached = contentsByFolder.get(folder)
  if (cached) return cached
  try {
    // not `readManifest`, which checks each of its files: there may be hundreds of thousands
    const { version, tables, files, missing } = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest
    const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
    const contents = {
      version: String(version),
      rows: sum(tables.map(({ rows }) => rows)),
      files: files.length,
      missing: missing.length,
      size: sum([...tables, ...files].map(({ size }) => size)),
    }
    contentsByFolder.set(folder, contents)
    return contents
  } catch {
    return undefined
  }
}

/** Lists the complete backups in a folder with their contents, newest first. */
export async function listBackupSummaries(parentFolder: string) {
  const summaries = []
  for (const { folder, createdAt, isBeforeUpdate } of (await listBackups(parentFolder)).reverse().slice(0, MAX_LISTED_BACKUPS)) {
    const { version = null, rows = null, files = null, missing = null, size = null } = (await readContents(folder)) ?? {}
    const created = createdAt.toISOString()
    summaries.push({ name: basename(folder), created, is_before_update: isBeforeUpdate, version, rows, files, missing, size })
  }
  return summaries
}

/** Finds the complete backup of this name in a folder. */
export const findBackup = async (parentFolder: string, name: string): Promise<Backup | undefined> =>
  (await listBackups(parentFolder)).find(({ folder }) => basename(folder) === name)
