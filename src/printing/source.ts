import { isUri } from '../kit/definition/file.ts'
import { isPath } from '../kit/services/files.ts'
import type { Services } from '../kit/services/services.ts'

/** Why a template cannot be read, in words for people. */
export class NoSource extends Error {}

/** Milliseconds in which another site has to answer. */
const PATIENCE = 10_000

/**
 * The text of a template: a stored file, or a file elsewhere (decision 18).
 * @param file what the column of the template holds
 * @throws NoSource
 */
export async function readSource({ files, config }: Pick<Services, 'files' | 'config'>, file: string): Promise<string> {
  if (isUri(file)) return fetchSource(file, config)
  if (!isPath(file) || !(await files.find(file)))
    throw new NoSource(`The file of the template, ${file}, is gone: upload it again.`)
  return (await files.bytes(file)).toString()
}

/** Only from hosts that whoever runs the service names, and from nowhere that these send us to. */
async function fetchSource(address: string, { fileHosts, maxFileBytes }: Services['config']): Promise<string> {
  const url = URL.parse(address)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!url || !isWeb || !fileHosts.includes(url.host.toLowerCase()))
    throw new NoSource(`The file of the template is at ${address}, and files are not fetched from there (FILE_HOSTS).`)
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(PATIENCE) })
    if (!answer.ok || !answer.body) throw new Error(`it answered ${answer.status}`)
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of answer.body) {
      size += part.length
      if (size > maxFileBytes) throw new Error(`it is larger than ${maxFileBytes} bytes`)
      parts.push(part)
    }
    return Buffer.concat(parts).toString()
  } catch (error) {
    throw new NoSource(`The file of the template could not be fetched from ${address}: ${(error as Error).message}.`)
  }
}
