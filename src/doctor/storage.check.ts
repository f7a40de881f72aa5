import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import type { Config } from '../config.ts'
import { getMediaFolder } from '../kit/services/files.ts'
import { openBucket } from '../kit/services/open-files.ts'
import { getBackupFolder } from '../resources/background-task/backups.ts'
import { type Check, error, type Finding, ok, warning } from './check.ts'

export const storageCheck: Check = {
  name: 'storage',
  title: 'Storage',
  async run({ config }) {
    const data = checkFolder('The data folder', config.dataDir)
    const files =
      config.s3Bucket === undefined ? checkFolder('The folder of files', getMediaFolder(config)) : await checkBucket(config)
    return [data, files, checkFolder('The folder of backups', getBackupFolder(config)), checkSecretKey(config)]
  },
}

/** Checks permissions only: writing a file would change the folder. */
function checkFolder(name: string, folder: string): Finding {
  const existing = findExisting(folder)
  const isMissing = existing !== folder
  const advice = `Give the user of the service write permission for ${existing}, or set another folder (DATA_DIR, BACKUP_DIR).`
  try {
    if (!statSync(existing).isDirectory()) return error(`${name} ${folder} is impossible: ${existing} is a file`, advice)
    accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (problem) {
    const { code, message } = problem as NodeJS.ErrnoException
    const reason = code === 'EROFS' ? 'its file system is read-only' : code === 'EACCES' ? 'permission denied' : message
    return error(`${name} ${folder} cannot be ${isMissing ? 'created' : 'written'}: ${reason}`, advice)
  }
  return ok(isMissing ? `${name} ${folder} does not exist yet and can be created` : `${name} ${folder} is writable`)
}

/** The folder, or the nearest folder above it that exists. */
export const findExisting = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : findExisting(dirname(folder))

async function checkBucket(config: Config): Promise<Finding> {
  const bucket = openBucket(config, pino({ level: 'silent' }))
  const name = `The bucket ${config.s3Bucket}`
  const problem = await bucket?.findProblem()
  if (problem !== undefined)
    return error(
      problem.charAt(0).toUpperCase() + problem.slice(1),
      'Correct S3_BUCKET, S3_ENDPOINT, S3_REGION or the keys, or start the store.',
    )
  try {
    await bucket?.tryWrite()
    return ok(`${name} is writable`)
  } catch (problem) {
    return error(
      `${name} can be read, but an object cannot be written and deleted (${(problem as Error).name})`,
      'Give the key the permissions s3:GetObject, s3:PutObject and s3:DeleteObject.',
    )
  }
}

function checkSecretKey({ secretKey, dataDir }: Config): Finding {
  if (secretKey !== undefined) return ok('The secret key is in SECRET_KEY')
  const file = join(dataDir, 'secret.key')
  if (!existsSync(file)) return ok('There is no secret key yet; the first start creates it')
  try {
    if (readFileSync(file, 'utf8').trim().length < 32)
      return error(`${file} contains no secret key`, 'Restore it from a copy, or delete it: the next start creates another.')
  } catch (problem) {
    return error(`${file} cannot be read: ${(problem as Error).message}`, 'Run this as the user of the service.')
  }
  return (statSync(file).mode & 0o077) === 0
    ? ok('The secret key is readable for its owner only; keep a copy of it elsewhere, as backups do not contain it')
    : warning(`Other users of this machine can read ${file}`, `Run: chmod 600 ${file}`)
}
