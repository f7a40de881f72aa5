import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { makeFolder } from './make-folder.ts'
import { OperatorError } from './operator-error.ts'

/**
 * Returns the key that signs what Stockroom issues: SECRET_KEY, or the one in DATA_DIR, which the first call creates.
 * @throws OperatorError when the file cannot be read or written, or holds no key
 */
export function getSecretKey(config: Config): string {
  if (config.secretKey !== undefined) return config.secretKey
  const file = join(config.dataDir, 'secret.key')
  try {
    const key = (readIfExists(file) ?? createSecretKey(config.dataDir, file)).trim()
    if (key.length >= 32) return key
  } catch (error) {
    throw new OperatorError(`the secret key in ${file} cannot be read or written: ${(error as Error).message}`)
  }
  throw new OperatorError(
    `${file} does not contain a secret key of at least 32 characters; restore it, or delete it to create a new one`,
  )
}

function createSecretKey(folder: string, file: string): string {
  makeFolder(folder)
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    // A link is created atomically, and never replaces the key of a node that started at the same time.
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file, 'utf8')
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
