import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

// Shared by the bundlers of browser files, which run in processes of their own.

const DAY_MS = 24 * 3_600_000

/**
 * Makes a bundle in a temporary folder and renames it once complete. Several processes may do this at the same time. Deletes the bundles of
 * other sources next to it, which a running service may still use for a day.
 * @param isComplete whether a folder contains a bundle
 * @param fill writes the files of the bundle
 */
export async function writeBundle(
  folder: string,
  isComplete: (folder: string) => boolean,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${folder}.new-${randomUUID()}`
  await mkdir(draft, { recursive: true })
  try {
    await fill(draft)
    await rename(draft, folder).catch(async (error) => {
      // another process was faster
      if (!isComplete(folder)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  await deleteOldBundles(folder)
}

/** Writes a compressed copy next to each text file below a folder, so that no request waits for compression. */
export async function compressFiles(folder: string): Promise<void> {
  const compressGzip = promisify(gzip)
  const compressBrotli = promisify(brotliCompress)
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.(html|json|m?js|css|svg|wasm)$/.test(name)) continue
    const text = await readFile(join(folder, name))
    await writeFile(join(folder, `${name}.gz`), await compressGzip(text, { level: 9 }))
    await writeFile(join(folder, `${name}.br`), await compressBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
  }
}

async function deleteOldBundles(current: string): Promise<void> {
  const bundles = dirname(current)
  for (const name of await readdir(bundles)) {
    const path = join(bundles, name)
    const stats = path === current ? undefined : await stat(path).catch(() => undefined)
    if (stats && Date.now() - stats.mtimeMs > DAY_MS) await rm(path, { recursive: true, force: true })
  }
}
