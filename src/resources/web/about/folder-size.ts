import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Number and bytes of the files in a folder; undefined if there are more than the limit. */
export type FolderSize = { files: number; bytes: number }

/** Maximum number of files that are counted: each takes a system call. */
const MAX_COUNTED_FILES = 100_000
/** Milliseconds for which a size is reused. */
const CACHE_MS = 300_000

let cached: { folder: string; measured: number; size: Promise<FolderSize | undefined> } | undefined

/** Measures a folder with everything below it; an earlier result is reused for some minutes. A missing folder is empty. */
export function measureFolder(folder: string): Promise<FolderSize | undefined> {
  if (cached?.folder === folder && Date.now() - cached.measured < CACHE_MS) return cached.size
  const size = measure(folder)
  cached = { folder, measured: Date.now(), size }
  return size
}

async function measure(folder: string): Promise<FolderSize | undefined> {
  const size = { files: 0, bytes: 0 }
  const folders = [folder]
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    const entries = await opendir(current).catch(() => undefined)
    if (!entries) continue
    for await (const entry of entries) {
      const path = join(current, entry.name)
      if (entry.isDirectory()) folders.push(path)
      if (!entry.isFile()) continue
      if (++size.files > MAX_COUNTED_FILES) return undefined
      // a file may be deleted in the meantime
      size.bytes += (await stat(path).catch(() => undefined))?.size ?? 0
    }
  }
  return size
}
