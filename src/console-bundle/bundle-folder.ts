import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isInstalledPackage, ROOT } from '../paths.ts'

// Loaded at every start of the service, for the bundles of browser files: of the console, and of the guides.

/** All files below folders, as paths from the folder of `package.json`. */
export const listFiles = (folders: readonly string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
  )

/** A hash of files, in 16 digits: the name of the bundle that is made of them. */
export function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) {
    const content = readFileSync(join(ROOT, file))
    hash.update(`${file} ${content.length}\n`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}

/**
 * Runs a bundler in another process, as it takes memory and is needed once.
 * @param script its module, below the folder of `package.json`
 * @param folder the folder of the bundle, its argument
 * @throws Error with its output
 */
export async function runBundler(script: string, folder: string): Promise<void> {
  if (isInstalledPackage) throw new Error(`this package is incomplete: ${folder} is missing`)
  const child = spawn(process.execPath, [join(ROOT, script), folder], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(output.trim())
}
