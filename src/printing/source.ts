import { isUri } from '../kit/definition/file.ts'
import { FetchError } from '../kit/services/download.ts'
import { isPath } from '../kit/services/files.ts'
import type { Services } from '../kit/services/services.ts'
import { ReasonedError } from '../kit/values/message.ts'
import { printErrors } from './print-errors.ts'

/** Human-readable reason why a template cannot be read. */
export class SourceError extends ReasonedError {}

/**
 * Reads the text of a template: a stored file, or a file on another host (docs/decisions.md#files-of-templates).
 * @param file value of the template's column
 * @throws SourceError
 */
export async function readSource(services: Pick<Services, 'files' | 'config' | 'download'>, file: string): Promise<string> {
  const { files } = services
  if (isUri(file)) return fetchSource(file, services)
  if (!isPath(file) || !(await files.find(file))) throw new SourceError(printErrors.template_file_gone({ file }))
  return (await files.bytes(file)).toString()
}

/** Fetches a template from a host that FILE_HOSTS names, which may be internal. Redirects are rejected. */
async function fetchSource(url: string, { config, download }: Pick<Services, 'config' | 'download'>): Promise<string> {
  const { fileHosts, maxFileBytes } = config
  if (!fileHosts.includes(URL.parse(url)?.host ?? ''))
    throw new SourceError(printErrors.template_host_not_allowed({ address: url }))
  try {
    return (await download(url, { limit: maxFileBytes, internalHosts: fileHosts, maxRedirects: 0 })).toString()
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    throw new SourceError(printErrors.template_not_fetched({ address: url, reason: error.message }))
  }
}
