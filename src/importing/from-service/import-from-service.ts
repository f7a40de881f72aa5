import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { OperatorError } from '../../operator-error.ts'
import { Progress } from '../../progress.ts'
import { runImport } from '../import.ts'
import { type Download, downloadDump } from './download.ts'
import { Source } from './source.ts'

/** What the API of InvenTree never returns, whatever the account. */
const UNAVAILABLE = [
  'passwords: each user sets a new one with a mailed link, or an administrator sets it',
  'API tokens and second factors: each client and user sets up a new one',
  'settings, subscriptions, languages and notification choices of users; settings of plugins',
  'who received, shipped or completed an order, and in newer releases the seconds of times',
  'the validation of BOMs: validate them again',
  'the item from which another one was split, and the dates on which returns were issued and completed',
  'the history of deleted items, metadata of plugins, and the text of linked barcodes, which scans find all the same',
]

export type ImportFromServiceOptions = { token: string | undefined; skipInvalid: boolean }

/**
 * Downloads everything from a running InvenTree, and imports it, with no service running here. Run again, it continues an interrupted
 * download.
 * @throws OperatorError when nothing was loaded
 */
export async function runImportFromService(
  config: Config,
  url: string,
  { token, skipInvalid }: ImportFromServiceOptions,
): Promise<void> {
  if (!token) throw new OperatorError('the token of an account of that service is needed: --token, or IMPORT_TOKEN')
  const source = new Source(url, token)
  console.log('An import from a running service has everything that a dump has, except for:')
  for (const line of UNAVAILABLE) console.log(`- ${line}`)
  const folder = join(config.dataDir, `import-${source.url.host.replaceAll(/[^\w.-]/g, '-')}`)
  const download = await downloadWithProgress(source, folder)
  for (const line of describeDownload(download)) console.log(line)
  await runImport(config, download.dump, { skipInvalid, media: download.media })
  console.log(
    `The dump and its files remain in ${folder}: compare them with \`stockroom verify --against\`, then delete the folder.`,
  )
}

async function downloadWithProgress(source: Source, folder: string): Promise<Download> {
  const progress = new Progress('Downloading')
  try {
    return await downloadDump(source, folder, {
      records: progress.createReporter('records'),
      files: progress.createReporter('files'),
    })
  } finally {
    progress.stop()
  }
}

/** Describes the result of a download, line by line. */
function describeDownload({ release, records, remarks, missingFiles }: Download): string[] {
  return [
    `Downloaded ${records} records from InvenTree ${release.version} (API ${release.apiVersion}).`,
    ...remarks.map((remark) => `not downloaded: ${remark}`),
    ...missingFiles.map((file) => `not downloaded: ${file}`),
  ]
}
